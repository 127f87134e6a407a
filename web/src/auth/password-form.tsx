// Whose password, the password, and the way to another one.
import type { FormEvent, ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/form-field.tsx';
import type { FailedRequest } from '../ui/request-reference.tsx';
import { quietLinkClasses } from './auth-layout.tsx';
import { readNavigationState } from './navigation-state.ts';
import { PasswordField } from './password-field.tsx';

interface PasswordFormProps {
  email: string;
  busy: boolean;
  failure: string | null;
  request: FailedRequest | null;
  submit: string;
  enter(password: string): void;
  /** The field of the email, and what is said above it. */
  children: ReactNode;
}

export function PasswordForm({ email, busy, failure, request, submit, enter, children }: PasswordFormProps) {
  const { t } = useTranslation();
  const arrival = readNavigationState(useLocation().state);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    enter(String(new FormData(event.currentTarget).get('password')));
  };
  return (
    <form onSubmit={send} className="mt-6 flex flex-col gap-4">
      {children}
      <PasswordField label={t('login.password')} name="password" autoComplete="current-password" />
      <FailureNote text={failure} request={request} />
      <Button type="submit" variant="primary" disabled={busy} className="h-11 w-full">
        {busy ? t('login.submitting') : submit}
      </Button>
      <Link to="/forgot-password" state={{ ...arrival, email }} className={`${quietLinkClasses} self-center`}>
        {t('login.forgot')}
      </Link>
    </form>
  );
}
