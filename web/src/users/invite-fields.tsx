// The fields of an invitation: whom, and which technician they are.
import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type RefObject, useId } from 'react';
import type { StaffMember } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import { technicians } from '../repair-order/technician-choice.tsx';
import { Field, Input, Select } from '../ui/form-field.tsx';
import { type InvitationDraft, withTechnician } from './invitation-draft.ts';

interface DraftProps {
  draft: InvitationDraft;
  change(draft: InvitationDraft): void;
}

interface InviteFieldsProps extends DraftProps {
  /** The accounts that the chosen technician has already. */
  linked: readonly StaffMember[];
  first: RefObject<HTMLInputElement | null>;
}

export function InviteFields({ draft, change, linked, first }: InviteFieldsProps) {
  const { t } = useTranslation();
  const { data: skillList = [] } = useQuery(skills);
  return (
    <>
      <Field label={t('users.email')}>
        <Input
          ref={first}
          type="email"
          required
          autoComplete="off"
          value={draft.email}
          onChange={(event) => change({ ...draft, email: event.target.value })}
        />
      </Field>
      <NameField draft={draft} change={change} />
      <TechnicianField draft={draft} change={change} linked={linked} />
      <Field label={t('users.skill')}>
        <Select
          value={draft.skill}
          required={draft.technician !== null}
          onChange={(event) => change({ ...draft, skill: event.target.value })}
        >
          <option value="">{t('users.noSkill')}</option>
          {skillList.map(({ idSkill, skillName }) => (
            <option key={idSkill} value={skillName}>
              {skillName}
            </option>
          ))}
        </Select>
      </Field>
    </>
  );
}

/** A technician's name is the technician's. */
function NameField({ draft, change }: DraftProps) {
  const { t } = useTranslation();
  const { technician } = draft;
  return (
    <Field label={t('users.name')}>
      <span className="relative">
        <Input
          type="text"
          required
          autoComplete="off"
          value={technician?.displayName ?? draft.name}
          readOnly={technician !== null}
          title={technician === null ? undefined : t('users.nameLocked')}
          onChange={(event) => change({ ...draft, name: event.target.value })}
        />
        {technician !== null && (
          <Lock
            aria-hidden
            className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-3.5 text-quiet"
          />
        )}
      </span>
    </Field>
  );
}

function TechnicianField({ draft, change, linked }: Omit<InviteFieldsProps, 'first'>) {
  const { t } = useTranslation();
  const hint = useId();
  const { data: all = [] } = useQuery(technicians);
  const choose = (value: string) =>
    change(withTechnician(draft, all.find(({ idTechnician }) => String(idTechnician) === value) ?? null));
  return (
    <div className="min-w-0">
      <Field label={t('users.technician')}>
        <Select
          value={draft.technician?.idTechnician ?? ''}
          aria-describedby={hint}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{t('users.noTechnician')}</option>
          {all.map(({ idTechnician, displayName, specialty }) => (
            <option key={idTechnician} value={idTechnician}>
              {specialty === '' ? displayName : t('users.technicianOption', { name: displayName, specialty })}
            </option>
          ))}
        </Select>
      </Field>
      <p id={hint} className="mt-1 text-12 break-words text-stale empty:hidden">
        {linked.length > 0 &&
          t('users.linked.hint', { accounts: linked.map(({ email }) => email).join(', ') })}
      </p>
    </div>
  );
}
