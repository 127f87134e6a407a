// The fields of an invitation: whom, and which technician they are.
import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type RefObject, useId } from 'react';
import { Link } from 'react-router';
import type { StaffMember } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import { technicians } from '../repair-order/technicians.ts';
import { Field, Input, Select } from '../ui/form-field.tsx';
import { type InvitationDraft, withTechnician } from './invitation-draft.ts';
import { LinkedAccounts, TechnicianOption } from './technician-option.tsx';

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
      <SkillField draft={draft} change={change} />
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
          {all.map((technician) => (
            <TechnicianOption key={technician.idTechnician} technician={technician} />
          ))}
        </Select>
      </Field>
      <LinkedAccounts id={hint} linked={linked} />
    </div>
  );
}

/** A technician is invited with a skill. A shop that has none yet reads where to make one. */
function SkillField({ draft, change }: DraftProps) {
  const { t } = useTranslation();
  const hint = useId();
  const { data: skillList } = useQuery(skills);
  const { data: technicianList = [] } = useQuery(technicians);
  const isMissing = skillList?.length === 0 && technicianList.length > 0;
  return (
    <div className="min-w-0">
      <Field label={t('users.skill')}>
        <Select
          value={draft.skill}
          required={draft.technician !== null}
          aria-describedby={hint}
          onChange={(event) => change({ ...draft, skill: event.target.value })}
        >
          <option value="">{t('users.noSkill')}</option>
          {skillList?.map(({ idSkill, skillName }) => (
            <option key={idSkill} value={skillName}>
              {skillName}
            </option>
          ))}
        </Select>
      </Field>
      <p id={hint} className="mt-1 text-12 text-quiet empty:hidden">
        {isMissing && (
          <>
            {t('users.needsSkill')}{' '}
            <Link
              to="/technician-management?panel=skills"
              className="inline-flex w-fit items-center rounded-sm font-medium text-accent underline pointer-coarse:flex pointer-coarse:min-h-11"
            >
              {t('users.addSkill')}
            </Link>
          </>
        )}
      </p>
    </div>
  );
}
