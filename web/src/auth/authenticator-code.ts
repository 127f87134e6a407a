/** The field for an authenticator app's code: six digits, perhaps in two groups. */
export const authenticatorCodeProps = {
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  pattern: '\\s*([0-9]\\s*){6}',
  maxLength: 7,
} as const;

/** The field's name is `code`. Apps show codes in groups, and some copy them so. */
export function readAuthenticatorCode(form: HTMLFormElement): string {
  return String(new FormData(form).get('code')).replace(/\s/g, '');
}
