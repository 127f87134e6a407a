// The fields of a user, in the table's cells and on a phone's cards alike.
import { Check, Hourglass } from 'lucide-react';
import type { Technician } from '../api/repair-orders.ts';
import type { Skill, StaffMember } from '../api/users.ts';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { Select } from '../ui/form-field.tsx';
import { MailSign } from './invitation-mail.tsx';
import { RolesField } from './roles-field.tsx';
import { sortRoles } from './staff.ts';
import type { Difference, Draft } from './staff-draft.ts';

export function PersonName({
  member,
  technician,
}: {
  member: StaffMember;
  technician: Technician | undefined;
}) {
  const { t } = useTranslation();
  const { uid, email } = useUser();
  const isMe = member.id === uid || member.email.toLowerCase() === email.toLowerCase();
  const maxSkill = technician?.maxSkillName ?? null;
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-14 font-medium break-words">{member.name || member.email}</span>
        {isMe && (
          <span className="rounded-sm bg-accent-tint px-1.5 text-12 font-medium text-accent">
            {t('users.you')}
          </span>
        )}
      </div>
      <div className="text-13 wrap-anywhere text-quiet">
        {[
          member.email,
          member.technicianId !== null && t('users.isTechnician', { id: member.technicianId }),
          maxSkill !== null && t('users.maxSkill', { skill: maxSkill }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </div>
    </div>
  );
}

export function Roles({ member }: { member: StaffMember }) {
  const { t } = useTranslation();
  if (member.roles.length === 0) return <span className="text-13 text-quiet">{t('users.noRoles')}</span>;
  return (
    <ul className="flex flex-wrap gap-1">
      {sortRoles(member.roles).map((role) => (
        <li
          key={role}
          className="rounded-sm bg-sunken px-1.5 py-0.5 text-12 font-medium whitespace-nowrap text-ink"
        >
          {t(`role.${role}`)}
        </li>
      ))}
    </ul>
  );
}

export function technicianOf(
  { technicianId }: StaffMember,
  technicians: ReadonlyMap<number, Technician>,
): Technician | undefined {
  return technicianId === null ? undefined : technicians.get(technicianId);
}

/** The skill on the record, or without one the technician's best. */
export function skillNameOf(member: StaffMember, technician: Technician | undefined): string {
  return member.skill || technician?.maxSkillName || '';
}

export function SkillOf({ skill }: { skill: string }) {
  return skill === '' ? (
    <span className="text-13 text-quiet">–</span>
  ) : (
    <span className="text-13 break-words">{skill}</span>
  );
}

export function StatusSign({ member }: { member: StaffMember }) {
  const { t } = useTranslation();
  const clock = useClock();
  const at = member.invitedAt === null ? Number.NaN : Date.parse(member.invitedAt);
  if (!member.invited) {
    return (
      <span className="inline-flex items-center gap-1.5 text-13 text-quiet">
        <Check aria-hidden className="size-3.5" />
        {t('users.status.active')}
      </span>
    );
  }
  return (
    <span
      className="block"
      title={Number.isNaN(at) ? undefined : t('users.invitedTitle', { time: clock.full(at) })}
    >
      <span className="inline-flex items-center gap-1.5 rounded-sm bg-stale-tint px-1.5 py-0.5 text-12 font-medium text-stale">
        <Hourglass aria-hidden className="size-3.5" />
        {t('users.status.pending')}
      </span>
      {member.invitationMail !== null ? (
        <MailSign mail={member.invitationMail} />
      ) : (
        !Number.isNaN(at) && (
          <span className="mt-0.5 block text-12 whitespace-nowrap text-quiet">
            {t('users.since', { time: clock.short(at) })}
          </span>
        )
      )}
    </span>
  );
}

interface DraftFieldProps {
  draft: Draft;
  change(draft: Draft): void;
}

export function DraftedRoles({ draft, change }: DraftFieldProps) {
  const { t } = useTranslation();
  return (
    <RolesField
      isFirstFocus
      legend={t('users.rolesOf', { email: draft.base.email })}
      roles={draft.roles}
      choose={(roles) => change({ ...draft, roles })}
    />
  );
}

interface DraftedSkillProps extends DraftFieldProps {
  skills: Skill[];
  technicians: ReadonlyMap<number, Technician>;
}

/** Only technicians have a skill: without one on the record, their best. */
export function DraftedSkill({ draft, change, skills, technicians }: DraftedSkillProps) {
  const { t } = useTranslation();
  if (draft.technicianId === null) return <SkillOf skill={draft.skill ?? ''} />;
  const best = technicians.get(draft.technicianId)?.maxSkillName ?? null;
  const names = skills.map(({ skillName }) => skillName);
  // The record's skill stays a choice, and so does the chosen one, even if the list has dropped it.
  const kept = draft.technicianId === draft.base.technicianId ? (draft.base.skill ?? '') : '';
  const others = new Set([kept, draft.skill ?? ''].filter((name) => !names.includes(name)));
  return (
    <Select
      aria-label={t('users.skillOf', { email: draft.base.email })}
      value={draft.skill ?? ''}
      onChange={(event) => change({ ...draft, skill: event.target.value || null })}
    >
      {[...others].map((name) => (
        <option key={name} value={name}>
          {name || (best === null ? t('users.noSkill') : t('users.maxSkill', { skill: best }))}
        </option>
      ))}
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Select>
  );
}

export function Differences({ all }: { all: readonly Difference[] }) {
  const { t } = useTranslation();
  const text = (difference: Difference, side: 'from' | 'to') => {
    if (difference.field === 'skill') return difference[side] ?? t('users.noSkill');
    if (difference.field === 'technician') {
      const id = difference[side];
      return id === null ? t('users.noTechnician') : t('users.isTechnician', { id });
    }
    const roles = sortRoles(difference[side]).map((role) => t(`role.${role}`));
    return roles.join(', ') || t('users.noRoles');
  };
  return (
    <ul className="flex flex-col gap-0.5">
      {all.map((difference) => (
        <li key={difference.field}>
          <span className="text-quiet">{t(`users.column.${difference.field}`)}:</span>{' '}
          <del className="text-quiet">{text(difference, 'from')}</del> <span aria-hidden>→</span>{' '}
          <ins className="font-medium no-underline">{text(difference, 'to')}</ins>
        </li>
      ))}
    </ul>
  );
}
