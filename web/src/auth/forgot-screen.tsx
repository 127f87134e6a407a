import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { requestPasswordReset } from '../api/account.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote, SuccessNote, TextField } from '../ui/form-field.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { AuthLayout, quietLinkClasses } from './auth-layout.tsx';
import { useFormSubmission } from './form-submission.ts';
import { readNavigationState } from './navigation-state.ts';

/** Asks for a link to set another password. Nothing here tells whether there is such an account. */
export function ForgotScreen() {
  const { t } = useTranslation();
  const arrival = readNavigationState(useLocation().state);
  const [email, setEmail] = useState(arrival.email);
  const [sent, setSent] = useState(false);
  const { busy, failure, request, run } = useFormSubmission(
    (error) => errorMessage(error, t) || t('forgot.failed'),
  );
  usePageTitle(t('forgot.title'));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSent(false);
    setSent(await run(() => requestPasswordReset(email)));
  };
  return (
    <AuthLayout title={t('forgot.title')} hint={t('forgot.hint')}>
      <form onSubmit={submit} className="mt-6 flex flex-col gap-4">
        <TextField
          label={t('login.email')}
          name="email"
          type="email"
          required
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <FailureNote text={failure} request={request} />
        <SuccessNote text={sent ? t('forgot.sent') : null} />
        <Button type="submit" variant="primary" disabled={busy} className="h-11 w-full">
          {busy ? t('forgot.submitting') : t('forgot.submit')}
        </Button>
        <Link to="/login" state={{ ...arrival, email }} className={`${quietLinkClasses} gap-1.5 self-center`}>
          <ArrowLeft aria-hidden className="size-3.5" />
          {t('forgot.back')}
        </Link>
      </form>
    </AuthLayout>
  );
}
