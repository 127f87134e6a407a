// A technician as one of those that an account can be linked to, and the accounts that are linked to them already.
import type { Technician } from '../api/repair-orders.ts';
import type { StaffMember } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';

export function TechnicianOption({ technician }: { technician: Technician }) {
  const { t } = useTranslation();
  const { idTechnician, displayName, specialty } = technician;
  return (
    <option value={idTechnician}>
      {specialty === '' ? displayName : t('users.technicianOption', { name: displayName, specialty })}
    </option>
  );
}

/** `id`: of what describes the field. */
export function LinkedAccounts({ id, linked }: { id: string; linked: readonly StaffMember[] }) {
  const { t } = useTranslation();
  return (
    <p id={id} className="mt-1 text-12 break-words text-stale empty:hidden">
      {linked.length > 0 && t('users.linked.hint', { accounts: linked.map(({ email }) => email).join(', ') })}
    </p>
  );
}
