// The form fields of this screen: label above, in the page's common style.
import type { ComponentProps, ReactNode } from 'react';
import type { Role } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { allRoles, toggleRole } from './staff.ts';

const selectClasses =
  'h-9 w-full min-w-0 rounded-md border border-line-strong bg-raised text-14 font-normal text-ink disabled:border-line disabled:bg-sunken disabled:text-quiet max-md:h-11 pointer-coarse:h-11';

export const inputClasses = `${selectClasses} px-2.5 placeholder:text-quiet read-only:border-line read-only:bg-sunken`;

export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className="flex min-w-0 flex-col gap-1 text-13 font-medium">
      {label}
      {children}
    </label>
  );
}

export function Select(props: ComponentProps<'select'>) {
  return <select {...props} className={`${selectClasses} px-2`} />;
}

interface RolesFieldProps {
  legend: string;
  hasLegendShown?: boolean;
  roles: readonly Role[];
  choose(roles: Role[]): void;
  /** The first checkbox gets the focus when it is rendered. */
  isFirstFocus?: boolean;
}

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
