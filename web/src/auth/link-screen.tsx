// Back from another provider with the email of an account that has a password here: whoever gives that, and a code
// where one is asked for, is signed in, and comes with the provider alone from then on.
import { useQuery } from '@tanstack/react-query';
import { Link2, Link2Off } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError } from '../api/http.ts';
import { linkAccount, pendingLink } from '../api/session.ts';
import { sentence } from '../i18n/sentence.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shop } from '../shop/shop.ts';
import { Button } from '../ui/button.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { Spinner } from '../ui/spinner.tsx';
import { useAttempt } from './attempt.ts';
import { CodeStep } from './code-step.tsx';
import { Door, quietLink } from './door.tsx';
import { Failure, Field, PasswordField } from './field.tsx';

export function LinkScreen() {
  const { t } = useTranslation();
  usePageTitle(t('login.link.title'));
  const { data: email, error } = useQuery({
    queryKey: ['auth', 'pending-link'],
    queryFn: ({ signal }) => pendingLink(signal),
    gcTime: 0,
  });
  if (email !== undefined) return <LinkStep email={email} />;
  if (error !== null) return <Expired reason={sentence(error, t)} />;
  return (
    <main className="grid h-full place-items-center">
      <Spinner label={t('page.loading')} />
    </main>
  );
}

function LinkStep({ email }: { email: string }) {
  const { t } = useTranslation();
  const goTo = useNavigate();
  /** The password was right, and a code is wanted. */
  const [accepted, setAccepted] = useState<string | null>(null);
  const [expired, setExpired] = useState(false);
  const [shaking, setShaking] = useState(false);
  const { busy, failure, run } = useAttempt((error) =>
    error instanceof ApiError && error.code === 'wrong-password'
      ? t('login.link.wrongPassword')
      : sentence(error, t) || t('login.failed'),
  );
  const name = shop.signInWith ?? '';

  const enter = async (password: string, code?: string) => {
    const done = await run(async () => {
      try {
        await linkAccount(password, code);
      } catch (error) {
        const why = error instanceof ApiError ? error.code : '';
        if (why === 'second-factor-required' && code === undefined) {
          setAccepted(password);
          return;
        }
        if (why === 'wrong-password') setAccepted(null);
        if (why === 'link-expired') setExpired(true);
        throw error;
      }
      await goTo('/dashboard', { replace: true });
    });
    setShaking(!done);
  };

  if (expired) return <Expired reason={t('error.link-expired')} />;
  const door = { shaking, shaken: () => setShaking(false) };
  if (accepted !== null) {
    return (
      <CodeStep
        {...door}
        email={email}
        busy={busy}
        failure={failure}
        enter={(code) => void enter(accepted, code)}
        back={() => setAccepted(null)}
      />
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void enter(String(new FormData(event.currentTarget).get('password')));
  };
  return (
    <Door
      {...door}
      glyph={<Link2 aria-hidden className="size-5" />}
      title={t('login.link.title')}
      hint={t('login.link.hint', { email, name })}
    >
      <form onSubmit={submit} className="mt-6 flex flex-col gap-4">
        {/* Password managers see whose password it is. */}
        <Field
          label={t('login.email')}
          type="email"
          autoComplete="username"
          readOnly
          value={email}
          className="read-only:border-line read-only:bg-sunken"
        />
        <PasswordField label={t('login.password')} name="password" autoComplete="current-password" />
        <Failure text={failure} />
        <Button type="submit" look="primary" disabled={busy} className="h-11 w-full">
          {busy ? t('login.submitting') : t('login.link.submit')}
        </Button>
        <Link to="/forgot-password" state={{ email }} className={`${quietLink} self-center`}>
          {t('login.forgot')}
        </Link>
      </form>
      <p className="mt-4 text-13 text-pretty text-quiet">{t('login.link.afterwards', { name })}</p>
    </Door>
  );
}

function Expired({ reason }: { reason: string }) {
  const { t } = useTranslation();
  return (
    <Door
      glyph={<Link2Off aria-hidden className="size-5" />}
      title={t('login.link.expired')}
      hint={<span role="alert">{reason}</span>}
    >
      <Link to="/login" className={`${quietLink} mt-5`}>
        {t('forgot.back')}
      </Link>
    </Door>
  );
}
