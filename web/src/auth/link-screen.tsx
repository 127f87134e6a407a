// The return from another provider with the email of an existing account: the user confirms with its password, and a
// code where required. From then on the provider is enough.
import { useQuery } from '@tanstack/react-query';
import { Link2, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError } from '../api/http.ts';
import { linkAccount, pendingLink } from '../api/session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shop } from '../shop/shop.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote, TextField } from '../ui/form-field.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import type { FailedRequest } from '../ui/request-reference.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { AuthLayout, quietLinkClasses } from './auth-layout.tsx';
import { useCredentials } from './credentials.ts';
import { PasswordForm } from './password-form.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';

export function LinkScreen() {
  const { t } = useTranslation();
  usePageTitle(t('login.link.title'));
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['auth', 'pending-link'],
    queryFn: ({ signal }) => pendingLink(signal),
    gcTime: 0,
  });
  if (data !== undefined) return <LinkStep email={data} />;
  if (isExpired(error)) return <LinkExpired />;
  if (error !== null) {
    return (
      <NotLoaded
        // Said anew when it fails again.
        {...failureReason(isFetching ? null : error, t)}
        retry={() => void refetch()}
      />
    );
  }
  return (
    <main className="grid h-full place-items-center">
      <Spinner label={t('page.loading')} />
    </main>
  );
}

function isExpired(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'link-expired';
}

function LinkStep({ email }: { email: string }) {
  const { t } = useTranslation();
  const goTo = useNavigate();
  const [expired, setExpired] = useState(false);
  const { busy, failure, request, enterPassword, codeStep, cardProps } = useCredentials(
    async (password, code) => {
      try {
        await linkAccount(password, code);
      } catch (error) {
        setExpired(isExpired(error));
        throw error;
      }
      await goTo('/dashboard', { replace: true });
    },
    (error) =>
      error instanceof ApiError && error.code === 'wrong-password'
        ? t('login.link.wrongPassword')
        : errorMessage(error, t) || t('login.failed'),
  );
  const name = shop.signInWith ?? '';

  if (expired) return <LinkExpired />;
  if (codeStep !== null) {
    return (
      <SecondFactorStep
        {...cardProps}
        {...codeStep}
        email={email}
        busy={busy}
        failure={failure}
        request={request}
      />
    );
  }
  return (
    <AuthLayout
      {...cardProps}
      glyph={<Link2 aria-hidden className="size-5" />}
      title={t('login.link.title')}
      hint={t('login.link.hint', { email, name })}
    >
      <PasswordForm
        email={email}
        busy={busy}
        failure={failure}
        request={request}
        submit={t('login.link.submit')}
        enter={enterPassword}
      >
        {/* Password managers see whose password it is. */}
        <TextField label={t('login.email')} type="email" autoComplete="username" readOnly value={email} />
      </PasswordForm>
      <p className="mt-4 text-13 text-pretty text-quiet">{t('login.link.afterwards', { name })}</p>
    </AuthLayout>
  );
}

function LinkExpired() {
  const { t } = useTranslation();
  return (
    <AuthLayout
      glyph={<Link2Off aria-hidden className="size-5" />}
      title={t('login.link.expired')}
      hint={<span role="alert">{t('error.link-expired')}</span>}
    >
      <Link to="/login" className={`${quietLinkClasses} mt-5`}>
        {t('forgot.back')}
      </Link>
    </AuthLayout>
  );
}

interface NotLoadedProps {
  /** Null while it is tried again. */
  reason: string | null;
  request: FailedRequest | null;
  retry(): void;
}

function NotLoaded({ reason, request, retry }: NotLoadedProps) {
  const { t } = useTranslation();
  return (
    <AuthLayout
      glyph={<Link2 aria-hidden className="size-5" />}
      title={t('login.link.title')}
      hint={t('login.link.notLoaded')}
    >
      <div className="mt-6 flex flex-col gap-4">
        <FailureNote text={reason} request={request} />
        <Button variant="primary" disabled={reason === null} onClick={retry} className="h-11 w-full">
          {t('account.retry')}
        </Button>
        <Link to="/login" className={`${quietLinkClasses} self-center`}>
          {t('forgot.back')}
        </Link>
      </div>
    </AuthLayout>
  );
}
