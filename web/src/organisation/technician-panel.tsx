// One technician: name, specialty, hours a day, level, and their skills.
import { CircleUserRound } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Link } from 'react-router';
import {
  changeTechnician,
  deleteTechnician,
  hasErrorCode,
  type Member,
  type Organisation,
  type TechnicianChange,
} from '../api/technicians.ts';
import { usePermission, useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Field, Input } from '../ui/form-field.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { HoursInput, parseHours } from './hours-input.tsx';
import { chosenLevel, LevelSelect, levelChosen } from './level-select.tsx';
import { useOrganisationMutation } from './mutations.ts';
import { levelOf, memberOf } from './organisation.ts';
import { TechnicianSkills } from './technician-skills.tsx';

interface TechnicianPanelProps {
  technician: number;
  organisation: Organisation;
  close(): void;
}

export function TechnicianPanel({ technician, organisation, close }: TechnicianPanelProps) {
  const { t } = useTranslation();
  const member = memberOf(organisation, technician);
  return (
    <Sheet
      open
      inAddress
      narrow
      close={close}
      title={member?.displayName ?? t('organisation.technician.unknown', { id: technician })}
      closeLabel={t('organisation.close')}
    >
      {member === undefined ? (
        <p role="status" className="text-13 text-quiet">
          {t('organisation.technician.unknownHint')}
        </p>
      ) : (
        <LoadedTechnician key={technician} member={member} organisation={organisation} close={close} />
      )}
    </Sheet>
  );
}

interface LoadedTechnicianProps {
  member: Member;
  organisation: Organisation;
  close(): void;
}

function LoadedTechnician({ member, organisation, close }: LoadedTechnicianProps) {
  const { t } = useTranslation();
  const mayManage = usePermission('manage-technicians');
  const { roles, technicianId } = useUser();
  const maySeeAll = usePermission('see-all-technicians');
  const { idTechnician } = member;
  // Technicians can open only their own portal.
  const mayOpen = maySeeAll || !roles.includes('Technician') || technicianId === idTechnician;
  return (
    <div className="flex flex-col gap-6">
      <p className="flex flex-wrap items-center justify-between gap-2 text-13 text-quiet">
        {t('organisation.technician.number', { id: idTechnician })}
        {mayOpen && (
          <Link
            to={`/technicians/${idTechnician}`}
            className="inline-flex items-center gap-1.5 rounded-sm font-medium text-accent hover:underline pointer-coarse:min-h-11"
          >
            <CircleUserRound aria-hidden className="size-4" />
            {t('organisation.technician.portal')}
          </Link>
        )}
      </p>
      {mayManage ? (
        <TechnicianForm member={member} organisation={organisation} />
      ) : (
        <TechnicianFacts member={member} organisation={organisation} />
      )}
      <TechnicianSkills member={member} />
      {mayManage && <DeleteTechnician member={member} close={close} />}
    </div>
  );
}

/** The typed fields; the others follow the server. */
type Draft = Partial<Record<'name' | 'specialty' | 'hours', string>> & { level?: number | null };

/** What a draft changes; null while it is not complete. */
function changeOf(draft: Draft, member: Member, level: number | null): TechnicianChange | null {
  const { displayName, specialty, dailyHours } = member;
  const name = (draft.name ?? displayName).trim();
  const hours = parseHours(draft.hours ?? String(dailyHours));
  if (name === '' || hours === null) return null;
  return {
    ...(name !== displayName && { displayName: name }),
    ...(draft.specialty !== undefined &&
      draft.specialty.trim() !== specialty && { specialty: draft.specialty.trim() }),
    ...(hours !== dailyHours && { dailyHours: hours }),
    ...(draft.level !== undefined && draft.level !== level && { idLevel: draft.level }),
  };
}

function withoutSent(now: Draft, sent: Draft): Draft {
  const left = { ...now };
  for (const field of Object.keys(sent) as (keyof Draft)[]) {
    if (left[field] === sent[field]) delete left[field];
  }
  return left;
}

function TechnicianForm({ member, organisation }: Omit<LoadedTechnicianProps, 'close'>) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const id = useId();
  const { idTechnician, displayName, specialty, dailyHours } = member;
  const [draft, setDraft] = useState<Draft>({});
  const level = levelOf(organisation, idTechnician);
  const name = draft.name ?? displayName;
  const change = changeOf(draft, member, level);
  const isReady = change !== null && Object.keys(change).length > 0;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const done = await mutate({
      work: () => changeTechnician(idTechnician, change),
      done: t('organisation.technician.saved', { name: name.trim() }),
      failed: t('organisation.failed.technician', { name: displayName }),
    });
    // What was typed since it was sent stays.
    if (done) setDraft((now) => withoutSent(now, draft));
  };
  return (
    <form aria-labelledby={id} onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      <h3 id={id} className="text-14 font-semibold">
        {t('organisation.technician.details')}
      </h3>
      <Field label={t('organisation.technician.name')}>
        <Input
          value={name}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          autoComplete="off"
        />
      </Field>
      <Field label={t('organisation.technician.specialty')}>
        <Input
          value={draft.specialty ?? specialty}
          onChange={(event) => setDraft({ ...draft, specialty: event.target.value })}
          autoComplete="off"
        />
      </Field>
      <div className="grid grid-cols-[1fr_7rem] gap-2.5">
        <LevelSelect
          levels={organisation.levels}
          chosen={chosenLevel(draft.level === undefined ? level : draft.level)}
          choose={(to) => {
            if (to !== '') setDraft({ ...draft, level: levelChosen(to) });
          }}
        />
        <Field label={t('organisation.technician.hours')}>
          <HoursInput
            value={draft.hours ?? String(dailyHours)}
            onChange={(event) => setDraft({ ...draft, hours: event.target.value })}
          />
        </Field>
      </div>
      <Button type="submit" variant="primary" disabled={!isReady || busy} className="self-end">
        {t('organisation.save')}
      </Button>
    </form>
  );
}

/** For users who may only read. */
function TechnicianFacts({ member, organisation }: Omit<LoadedTechnicianProps, 'close'>) {
  const { t, locale } = useTranslation();
  const { idTechnician, specialty, dailyHours } = member;
  const level = organisation.levels.find(({ idLevel }) => idLevel === levelOf(organisation, idTechnician));
  const facts = [
    [t('organisation.technician.specialty'), specialty || '–'],
    [t('organisation.level.one'), level?.name ?? t('organisation.unplaced')],
    [t('organisation.technician.hours'), dailyHours.toLocaleString(locale)],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-13">
      {facts.map(([name, fact]) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

function DeleteTechnician({ member, close }: Pick<LoadedTechnicianProps, 'member' | 'close'>) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const [isConfirming, ask] = useState(false);
  const { idTechnician, displayName } = member;
  const remove = async () => {
    const done = await mutate({
      work: () => deleteTechnician(idTechnician),
      done: t('organisation.technician.deleted', { name: displayName }),
      failed: t('organisation.failed.deleteTechnician', { name: displayName }),
      explained: (failure) =>
        hasErrorCode(failure, 'technician-in-use') ? t('organisation.technician.inUse') : null,
    });
    ask(false);
    if (done) close();
  };
  return (
    <div className="border-t border-line pt-4">
      <Button onClick={() => ask(true)} className="text-danger!">
        {t('organisation.technician.delete')}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={t('organisation.technician.confirm', { name: displayName })}
          detail={t('organisation.technician.confirmDetail')}
          verb={t('organisation.delete')}
          cancelLabel={t('organisation.cancel')}
          busy={busy}
          confirm={() => void remove()}
          close={() => ask(false)}
        />
      )}
    </div>
  );
}
