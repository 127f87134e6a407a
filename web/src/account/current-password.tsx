import { PasswordField } from '../auth/password-field.tsx';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';

/** The current password, asked for before any change that a passer-by at an open screen must not make. */
export function CurrentPassword() {
  const { t } = useTranslation();
  const { email } = useUser();
  return (
    <>
      {/* Says to password managers whose password it is. */}
      <input type="text" hidden readOnly autoComplete="username" value={email} />
      <PasswordField
        label={t('account.password.current')}
        name="current-password"
        autoComplete="current-password"
      />
    </>
  );
}

export function readCurrentPassword(form: HTMLFormElement): string {
  return String(new FormData(form).get('current-password'));
}
