// Signing in: email and password, then a code for whom one is asked, or with another provider.
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { ApiError } from '../api/http.ts';
import { owedBeforeLeaving, signIn, startElsewhere } from '../api/session.ts';
import { sentence } from '../i18n/sentence.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shop } from '../shop/shop.ts';
import { Button } from '../ui/button.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { arrivalIn } from './arrival.ts';
import { useAttempt } from './attempt.ts';
import { CodeStep } from './code-step.tsx';
import { Door, quietLink } from './door.tsx';
import { Done, Failure, Field, PasswordField } from './field.tsx';

export function LoginScreen() {
  const { t } = useTranslation();
  const refusal = useRefusalElsewhere();
  const [arrival] = useState(arrivalIn(useLocation().state));
  const [email, setEmail] = useState(arrival.email);
  /** The password was right, and a code is wanted. */
  const [accepted, setAccepted] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const [shaking, setShaking] = useState(false);
  const { busy, failure, run } = useAttempt((error) => sentence(error, t) || t('login.failed'));
  usePageTitle(t('login.submit'));

  /** The route sends whoever is signed in to the dashboard. */
  const enter = async (password: string, code?: string) => {
    setTried(true);
    const done = await run(async () => {
      try {
        await signIn(email, password, code);
      } catch (error) {
        const why = error instanceof ApiError ? error.code : '';
        if (why === 'second-factor-required' && code === undefined) {
          setAccepted(password);
          return;
        }
        // It may have been changed since.
        if (why === 'wrong-password') setAccepted(null);
        throw error;
      }
    });
    setShaking(!done);
  };

  const door = { shaking, shaken: () => setShaking(false) };
  const refused = failure ?? (tried || refusal === null ? null : t(`login.elsewhere.${refusal}`));
  if (accepted !== null) {
    return (
      <CodeStep
        {...door}
        email={email}
        busy={busy}
        failure={refused}
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
    <Door {...door} title={t('login.title', { brandName: shop.brandName })} hint={t('login.tag')}>
      <form onSubmit={submit} className="mt-6 flex flex-col gap-4">
        <Done text={arrival.passwordSet && !tried ? t('login.passwordSet') : null} />
        <Field
          label={t('login.email')}
          name="email"
          type="email"
          required
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField label={t('login.password')} name="password" autoComplete="current-password" />
        <Failure text={refused} />
        <Button type="submit" look="primary" disabled={busy} className="h-11 w-full">
          {busy ? t('login.submitting') : t('login.submit')}
        </Button>
        <Link to="/forgot-password" state={{ email }} className={`${quietLink} self-center`}>
          {t('login.forgot')}
        </Link>
      </form>
      {shop.signInWith !== null && (
        <SignInElsewhere
          name={shop.signInWith}
          busy={busy}
          run={async (work) => {
            setTried(true);
            setShaking(!(await run(work)));
          }}
        />
      )}
    </Door>
  );
}

interface SignInElsewhereProps {
  name: string;
  busy: boolean;
  run(work: () => Promise<void>): Promise<void>;
}

/** A button and no link: the server begins it for a page of its own alone. */
function SignInElsewhere({ name, busy, run }: SignInElsewhereProps) {
  const { t } = useTranslation();
  const leave = () =>
    void run(async () => {
      await owedBeforeLeaving();
      location.assign(await startElsewhere());
    });
  return (
    <div className="mt-4 flex flex-col gap-4 pointer-coarse:mt-1">
      <p className="flex items-center gap-3 text-12 text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('login.or')}
      </p>
      <Button disabled={busy} onClick={leave} className="h-11 w-full border-line-strong font-medium">
        {t('login.signInWith', { name })}
      </Button>
    </div>
  );
}

const refusals = ['oidc-failed', 'oidc-no-account', 'oidc-unverified-email'] as const;

/** Why the other provider's sign-in was refused, as the server put it in the address. It does not stay there. */
function useRefusalElsewhere() {
  const [search, setSearch] = useSearchParams();
  const [refusal] = useState(() => refusals.find((one) => one === search.get('error')) ?? null);
  useEffect(() => {
    if (search.has('error')) setSearch({}, { replace: true });
  }, [search, setSearch]);
  return refusal;
}
