// The skills: added, renamed, given another level or kind, deleted. Deleting one that is in use asks first.
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { addSkill, changeSkill, deleteSkill, hasErrorCode } from '../api/technicians.ts';
import type { Skill } from '../api/users.ts';
import { usePermission } from '../auth/use-session.ts';
import { failureDetail, failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { LoadingLines } from '../ui/load-state.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { closeOnEscape, Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toaster.ts';
import { useOrganisationMutation } from './mutations.ts';
import { readSkill, SkillFields } from './skill-fields.tsx';

export function SkillsPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const mayManage = usePermission('manage-skills');
  const { data, error, refetch } = useQuery(skills);
  const first = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (error === null) return;
    showToast({
      tone: 'destructive',
      text: t('organisation.failed.skills'),
      ...failureDetail(error, t),
    });
  }, [error, t]);

  return (
    <Sheet
      open
      inAddress
      narrow
      close={close}
      title={t(mayManage ? 'organisation.manageSkills' : 'organisation.skills')}
      closeLabel={t('organisation.close')}
      initialFocus={() => first.current}
    >
      <div className="flex flex-col gap-6">
        {mayManage && <AddSkill first={first} />}
        <section aria-labelledby="existing-skills">
          <h3 id="existing-skills" className="text-14 font-semibold">
            {t('organisation.skill.existing')}
          </h3>
          <div className="mt-2">
            {data === undefined && error !== null ? (
              <FailedLine
                text={t('organisation.failed.skills')}
                {...failureReason(error, t)}
                retryLabel={t('organisation.retry')}
                retry={() => void refetch()}
              />
            ) : data === undefined ? (
              <LoadingLines label={t('organisation.loading')} />
            ) : data.length === 0 ? (
              <p className="text-13 text-quiet">{t('organisation.skill.none')}</p>
            ) : (
              <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
                {data
                  .toSorted((a, b) => b.skillLevel - a.skillLevel || a.skillName.localeCompare(b.skillName))
                  .map((skill) => (
                    <SkillLine key={skill.idSkill} skill={skill} mayManage={mayManage} />
                  ))}
              </ul>
            )}
          </div>
        </section>
      </div>
    </Sheet>
  );
}

const EMPTY = { name: '', level: '', kind: '' };

function AddSkill({ first }: { first: React.RefObject<HTMLInputElement | null> }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const [texts, type] = useState(EMPTY);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const skill = readSkill(texts);
    if (skill === null) {
      showToast({ tone: 'destructive', text: t('organisation.skill.incomplete') });
      return;
    }
    const done = await mutate({
      work: () => addSkill(skill),
      done: t('organisation.skill.added'),
      failed: t('organisation.failed.addSkill'),
    });
    if (!done) return;
    type(EMPTY);
    first.current?.focus();
  };
  return (
    // The page itself names the missing field.
    <form
      noValidate
      aria-labelledby="add-skill"
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-3"
    >
      <h3 id="add-skill" className="text-14 font-semibold">
        {t('organisation.skill.addTitle')}
      </h3>
      <SkillFields texts={texts} type={type} first={first} />
      <Button type="submit" variant="primary" aria-disabled={busy} className="aria-disabled:opacity-60">
        {t('organisation.skill.add')}
      </Button>
    </form>
  );
}

function SkillLine({ skill, mayManage }: { skill: Skill; mayManage: boolean }) {
  const { t } = useTranslation();
  const [editing, edit] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    edit(false);
    // Once the button is rendered again.
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (editing) {
    return (
      <li className="p-2.5">
        <EditSkill skill={skill} close={close} />
      </li>
    );
  }
  const { skillName, skillLevel, skillKind } = skill;
  return (
    <li className="flex min-h-12 items-center gap-1 py-1 pr-1 pl-3">
      <div className="min-w-0 flex-1">
        <p className="text-14 font-medium break-words">{skillName}</p>
        <p className="text-12 text-quiet">
          <span>{t('organisation.skill.levelIs', { level: skillLevel })}</span>
          {skillKind !== undefined && <span> · {t('organisation.skill.kindIs', { kind: skillKind })}</span>}
          {isUsed(skill) && <span> · {usage(skill, t)}</span>}
        </p>
      </div>
      {mayManage && (
        <>
          <IconButton
            ref={opener}
            label={t('organisation.skill.editOf', { skill: skillName })}
            title={t('organisation.edit')}
            onClick={() => edit(true)}
          >
            <Pencil aria-hidden className="size-4" />
          </IconButton>
          <DeleteSkill skill={skill} />
        </>
      )}
    </li>
  );
}

const isUsed = ({ usedBy }: Skill) => usedBy.technicians + usedBy.rules > 0;

function usage({ usedBy }: Skill, t: TFunction): string {
  return t('organisation.skill.usedBy', {
    technicians: t('organisation.count', { count: usedBy.technicians }),
    rules: t('organisation.ruleCount', { count: usedBy.rules }),
  });
}

function DeleteSkill({ skill }: { skill: Skill }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const [isConfirming, ask] = useState(false);
  const { idSkill, skillName } = skill;
  const remove = async (evenIfUsed: boolean) => {
    // It may have come into use meanwhile.
    let isInUse = false;
    const done = await mutate({
      work: async () => {
        try {
          await deleteSkill(idSkill, evenIfUsed);
        } catch (failure) {
          if (!hasErrorCode(failure, 'skill-in-use')) throw failure;
          isInUse = true;
        }
      },
      failed: t('organisation.failed.deleteSkill', { skill: skillName }),
    });
    ask(isInUse);
    if (done && !isInUse) showToast({ text: t('organisation.skill.deleted', { skill: skillName }) });
  };
  return (
    <>
      <IconButton
        label={t('organisation.skill.deleteOf', { skill: skillName })}
        title={t('organisation.delete')}
        aria-disabled={busy}
        onClick={() => (isUsed(skill) ? ask(true) : void remove(false))}
        className="hover:text-danger"
      >
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
      {isConfirming && (
        <ConfirmDialog
          title={t('organisation.skill.confirm', { skill: skillName })}
          detail={t('organisation.skill.confirmDetail', { used: usage(skill, t) })}
          verb={t('organisation.delete')}
          cancelLabel={t('organisation.cancel')}
          busy={busy}
          confirm={() => void remove(true)}
          close={() => ask(false)}
        />
      )}
    </>
  );
}

function EditSkill({ skill, close }: { skill: Skill; close: () => void }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  // As it was when it was opened: what somebody else changes meanwhile is not changed back.
  const [before] = useState({
    skillName: skill.skillName,
    skillLevel: skill.skillLevel,
    skillKind: skill.skillKind ?? '',
  });
  const [texts, type] = useState({
    name: before.skillName,
    level: String(before.skillLevel),
    kind: before.skillKind,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const after = readSkill(texts);
    if (after === null) {
      showToast({ tone: 'destructive', text: t('organisation.skill.incomplete') });
      return;
    }
    const { skillName, skillLevel, skillKind } = after;
    const changes = {
      ...(skillName !== before.skillName && { skillName }),
      ...(skillLevel !== before.skillLevel && { skillLevel }),
      ...(skillKind !== before.skillKind && { skillKind }),
    };
    if (Object.keys(changes).length === 0) {
      close();
      return;
    }
    const done = await mutate({
      work: () => changeSkill(skill.idSkill, changes),
      failed: t('organisation.failed.changeSkill', { skill: skill.skillName }),
    });
    if (done) close();
  };
  return (
    <form
      noValidate
      aria-label={t('organisation.skill.editOf', { skill: skill.skillName })}
      {...closeOnEscape(close)}
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-2"
    >
      <SkillFields texts={texts} type={type} first={focusOnce} />
      <div className="flex justify-end gap-2">
        <Button onClick={close}>{t('organisation.cancel')}</Button>
        <Button type="submit" variant="primary" aria-disabled={busy}>
          {t('organisation.save')}
        </Button>
      </div>
    </form>
  );
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.focus();
}
