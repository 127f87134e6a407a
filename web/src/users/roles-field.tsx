import type { Role } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { allRoles, toggleRole } from './staff.ts';

interface RolesFieldProps {
  legend: string;
  hasLegendShown?: boolean;
  roles: readonly Role[];
  choose(roles: Role[]): void;
  /** The first checkbox gets the focus when it is rendered. */
  isFirstFocus?: boolean;
}

/** A user's roles: a checkbox each. */
export function RolesField(props: RolesFieldProps) {
  const { legend, hasLegendShown = false, roles, choose, isFirstFocus = false } = props;
  const { t } = useTranslation();
  return (
    <fieldset ref={isFirstFocus ? focusFirst : undefined} className="min-w-0">
      <legend className={hasLegendShown ? 'mb-1 text-13 font-medium' : 'sr-only'}>{legend}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-0.5 max-md:grid max-md:grid-cols-2">
        {allRoles.map((role) => (
          <label
            key={role}
            className="flex min-h-7 items-center gap-2 text-13 whitespace-nowrap max-md:min-h-11 pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              checked={roles.includes(role)}
              onChange={() => choose(toggleRole(roles, role))}
              className="size-4 accent-accent"
            />
            {t(`role.${role}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function focusFirst(fields: HTMLFieldSetElement | null): void {
  fields?.querySelector('input')?.focus();
}
