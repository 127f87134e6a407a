// Which technician a user is, while their record is edited.
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Technician } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Select } from '../ui/form-field.tsx';
import { otherAccountsOf, staff } from './staff.ts';
import { type Draft, linkTechnician } from './staff-draft.ts';
import { LinkedAccounts, TechnicianOption } from './technician-option.tsx';

interface DraftedTechnicianProps {
  draft: Draft;
  change(draft: Draft): void;
  technicians: ReadonlyMap<number, Technician>;
}

/** Nothing where the shop has no technicians. */
export function DraftedTechnician({ draft, change, technicians }: DraftedTechnicianProps) {
  const { t } = useTranslation();
  const hint = useId();
  const { data: members = [] } = useQuery(staff);
  const { base, technicianId } = draft;
  if (technicians.size === 0 && base.technicianId === null) return null;
  // The record's technician stays a choice, and so does the chosen one, even if the list has dropped them.
  const kept = [base.technicianId, technicianId].filter((id) => id !== null);
  const unlisted = new Set(kept.filter((id) => !technicians.has(id)));
  return (
    <div className="min-w-0">
      <Select
        aria-label={t('users.technicianOf', { email: base.email })}
        aria-describedby={hint}
        value={technicianId ?? ''}
        onChange={({ target: { value } }) =>
          change(linkTechnician(draft, value === '' ? null : Number(value)))
        }
      >
        <option value="">{t('users.noTechnician')}</option>
        {[...unlisted].map((id) => (
          <option key={id} value={id}>
            {t('users.isTechnician', { id })}
          </option>
        ))}
        {[...technicians.values()].map((technician) => (
          <TechnicianOption key={technician.idTechnician} technician={technician} />
        ))}
      </Select>
      <LinkedAccounts
        id={hint}
        linked={technicianId === null ? [] : otherAccountsOf(technicianId, base.email, members)}
      />
    </div>
  );
}
