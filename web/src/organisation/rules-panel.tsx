// The opcode rules: which skill an opcode requires, and at which level; the ranking of technicians uses them. Owners
// write, others read.
import { useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { addRule, changeRule, deleteRule, type OpcodeRule, type RuleDraft } from '../api/technicians.ts';
import { usePermission } from '../auth/use-session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { closeOnEscape, Sheet } from '../ui/sheet.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Field, inputClasses, Select } from '../users/form-field.tsx';
import { skills } from '../users/staff.ts';
import { LevelInput, parseLevel } from './level-input.tsx';
import { useOrganisationMutation } from './mutations.ts';
import { rules } from './organisation.ts';

export function RulesPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const mayManage = usePermission('manage-opcode-rules');
  const { data, error, refetch } = useQuery(rules);
  return (
    <Sheet open narrow close={close} title={t('organisation.rules')} closeLabel={t('organisation.close')}>
      <div className="flex flex-col gap-5">
        <p className="text-13 text-quiet">{t('organisation.rule.hint')}</p>
        {mayManage && <AddRule />}
        {data === undefined && error !== null ? (
          <div className="flex flex-col items-start gap-3 text-13">
            <p role="alert">
              <span className="font-medium text-danger">{t('organisation.failed.rules')}</span>{' '}
              <span className="text-quiet">{errorMessage(error, t)}</span>
            </p>
            <Button onClick={() => void refetch()}>{t('organisation.retry')}</Button>
          </div>
        ) : data === undefined ? (
          <div role="status" className="flex flex-col gap-3">
            <span className="sr-only">{t('organisation.loading')}</span>
            <Skeleton className="h-9 w-full" />
            <Skeleton className="h-9 w-full" />
          </div>
        ) : data.length === 0 ? (
          <p className="text-13 text-quiet">{t('organisation.rule.none')}</p>
        ) : (
          <ul
            aria-label={t('organisation.rules')}
            className="flex flex-col divide-y divide-line rounded-lg border border-line"
          >
            {data.map((rule) => (
              <RuleLine key={rule.idRule} rule={rule} mayManage={mayManage} />
            ))}
          </ul>
        )}
        {!mayManage && <p className="text-12 text-quiet">{t('organisation.rule.ownersOnly')}</p>}
      </div>
    </Sheet>
  );
}

function AddRule() {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  /** A new form after each added rule, with empty fields. */
  const [form, next] = useState(0);
  return (
    <RuleForm
      key={form}
      name={t('organisation.rule.addTitle')}
      hasTitle
      verb={t('organisation.rule.add')}
      busy={busy}
      focusFirst={form > 0}
      save={async (draft) => {
        const done = await mutate({
          work: () => addRule(draft),
          done: t('organisation.rule.added', { pattern: draft.pattern }),
          failed: t('organisation.failed.addRule'),
        });
        if (done) next(form + 1);
      }}
    />
  );
}

function RuleLine({ rule, mayManage }: { rule: OpcodeRule; mayManage: boolean }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const [editing, edit] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { idRule, pattern, skillName, level } = rule;
  const cancel = () => {
    edit(false);
    // Once the button is rendered again.
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (editing) {
    return (
      <li className="p-2.5">
        <RuleForm
          name={t('organisation.rule.editOf', { pattern })}
          rule={rule}
          verb={t('organisation.save')}
          busy={busy}
          focusFirst
          cancel={cancel}
          save={async (draft) => {
            const done = await mutate({
              work: () => changeRule(idRule, draft),
              failed: t('organisation.failed.changeRule', { pattern }),
            });
            if (done) cancel();
          }}
        />
      </li>
    );
  }
  return (
    <li className="flex min-h-12 items-center gap-1 py-1 pr-1 pl-3">
      <div className="min-w-0 flex-1">
        <p className="font-mono text-13 font-medium break-all">{pattern}</p>
        <p className="text-12 text-quiet">
          {skillName} · {t('organisation.skill.levelIs', { level })}
        </p>
      </div>
      {mayManage && (
        <>
          <IconButton
            ref={opener}
            label={t('organisation.rule.editOf', { pattern })}
            title={t('organisation.edit')}
            onClick={() => edit(true)}
          >
            <Pencil aria-hidden className="size-4" />
          </IconButton>
          <IconButton
            label={t('organisation.rule.deleteOf', { pattern })}
            title={t('organisation.delete')}
            aria-disabled={busy}
            onClick={() =>
              void mutate({
                work: () => deleteRule(idRule),
                done: t('organisation.rule.deleted', { pattern }),
                failed: t('organisation.failed.deleteRule', { pattern }),
              })
            }
            className="hover:text-danger"
          >
            <Trash2 aria-hidden className="size-4" />
          </IconButton>
        </>
      )}
    </li>
  );
}

interface RuleFormProps {
  name: string;
  hasTitle?: boolean;
  rule?: OpcodeRule;
  verb: string;
  busy: boolean;
  focusFirst: boolean;
  save(draft: RuleDraft): Promise<void>;
  cancel?: () => void;
}

function RuleForm({ name, hasTitle = false, rule, verb, busy, focusFirst, save, cancel }: RuleFormProps) {
  const { t } = useTranslation();
  const { data: all = [] } = useQuery(skills);
  const [pattern, typePattern] = useState(rule?.pattern ?? '');
  const [skill, choose] = useState(String(rule?.idSkill ?? ''));
  const [typed, typeLevel] = useState(String(rule?.level ?? ''));
  const level = parseLevel(typed);
  const isReady = pattern.trim() !== '' && skill !== '' && level !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void save({ pattern: pattern.trim(), idSkill: Number(skill), level });
  };
  return (
    <form
      noValidate
      aria-label={name}
      {...(cancel && closeOnEscape(cancel))}
      onSubmit={submit}
      className="flex flex-col gap-2.5"
    >
      {hasTitle && <h3 className="text-14 font-semibold">{name}</h3>}
      <Field label={t('organisation.rule.pattern')}>
        <input
          ref={focusFirst ? focusOnce : undefined}
          value={pattern}
          onChange={(event) => typePattern(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="BRK*"
          className={`${inputClasses} font-mono`}
        />
      </Field>
      <div className="grid grid-cols-[1fr_6.5rem] gap-2.5">
        <Field label={t('organisation.rule.skill')}>
          <Select
            value={skill}
            onChange={({ target: { value } }) => {
              choose(value);
              const own = all.find(({ idSkill }) => String(idSkill) === value);
              if (own !== undefined && typed === '') typeLevel(String(own.skillLevel));
            }}
          >
            <option value="" disabled>
              {t('organisation.technician.chooseSkill')}
            </option>
            {all.map(({ idSkill, skillName }) => (
              <option key={idSkill} value={idSkill}>
                {skillName}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('organisation.rule.level')}>
          <LevelInput value={typed} onChange={(event) => typeLevel(event.target.value)} />
        </Field>
      </div>
      <div className="flex justify-end gap-2">
        {cancel !== undefined && <Button onClick={cancel}>{t('organisation.cancel')}</Button>}
        <Button type="submit" variant="primary" disabled={!isReady || busy}>
          {verb}
        </Button>
      </div>
    </form>
  );
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.focus();
}
