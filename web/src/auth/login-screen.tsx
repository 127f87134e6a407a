// Signing in: with email, password and perhaps a code, or with another provider.
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { pendingSignOut, signIn, startProviderSignIn } from '../api/session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shop } from '../shop/shop.ts';
import { Button } from '../ui/button.tsx';
import { SuccessNote, TextField } from '../ui/form-field.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { AuthLayout } from './auth-layout.tsx';
import { useCredentials } from './credentials.ts';
import {
  type AskedAddress,
  keepAskedAddress,
  type NavigationState,
  readNavigationState,
} from './navigation-state.ts';
import { PasswordForm } from './password-form.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';
import { useSetUpWatch } from './set-up-watch.ts';

export function LoginScreen() {
  const { t } = useTranslation();
  const refusal = useProviderRefusal();
  const [arrival] = useState(readNavigationState(useLocation().state));
  const [email, setEmail] = useState(arrival.email);
  const [tried, setTried] = useState(false);
  /** The route sends whoever is signed in to the dashboard. */
  const { busy, failure, request, attempt, enterPassword, codeStep, cardProps } = useCredentials(
    async (password, code) => {
      setTried(true);
      await signIn(email, password, code);
    },
    (error) => errorMessage(error, t) || t('login.failed'),
  );
  usePageTitle(t('login.submit'));

  const refused = failure ?? (tried || refusal === null ? null : t(`login.elsewhere.${refusal}`));
  if (codeStep !== null) {
    return (
      <SecondFactorStep
        {...cardProps}
        {...codeStep}
        email={email}
        busy={busy}
        failure={refused}
        request={request}
      />
    );
  }
  return (
    <AuthLayout {...cardProps} title={t('login.title', { brandName: shop.brandName })} hint={t('login.tag')}>
      <PasswordForm
        email={email}
        busy={busy}
        failure={refused}
        request={request}
        submit={t('login.submit')}
        enter={enterPassword}
      >
        {shop.awaitsSetUp && <NotSetUpNote />}
        <SignedOutNote reason={tried ? null : arrival.reason} />
        <SuccessNote text={arrival.passwordSet && !tried ? t('login.passwordSet') : null} />
        <TextField
          label={t('login.email')}
          name="email"
          type="email"
          required
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </PasswordForm>
      {shop.signInWith !== null && (
        <ProviderSignIn
          name={shop.signInWith}
          asked={arrival.asked}
          busy={busy}
          run={async (work) => {
            setTried(true);
            await attempt(work);
          }}
        />
      )}
    </AuthLayout>
  );
}

/** Nobody can sign in before the first owner is made. */
function NotSetUpNote() {
  const { t } = useTranslation();
  // The server writes the shop's settings into the page, and the session of before may be good again.
  useSetUpWatch(() => location.reload());
  return (
    <div className="rounded-md bg-stale-tint px-3 py-2 text-13 text-pretty text-stale">
      <p className="font-medium">{t('login.notSetUp')}</p>
      <p className="mt-1 wrap-anywhere">{t('login.notSetUpHint')}</p>
    </div>
  );
}

/** Why somebody is here who did not choose to be. */
function SignedOutNote({ reason }: Pick<NavigationState, 'reason'>) {
  const { t } = useTranslation();
  return (
    <p
      role="status"
      className="rounded-md bg-stale-tint px-3 py-2 text-13 text-pretty text-stale empty:hidden"
    >
      {reason !== null && t(`login.signedOut.${reason}`)}
    </p>
  );
}

interface ProviderSignInProps {
  name: string;
  asked: AskedAddress | null;
  busy: boolean;
  run(work: () => Promise<void>): Promise<void>;
}

/** A button, not a link: the server starts the sign-in only for requests from its own page. */
function ProviderSignIn({ name, asked, busy, run }: ProviderSignInProps) {
  const { t } = useTranslation();
  const leave = () =>
    void run(async () => {
      await pendingSignOut();
      const address = await startProviderSignIn();
      keepAskedAddress(asked);
      location.assign(address);
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

/** Why the provider's sign-in was refused, from the address, which is then cleaned. */
function useProviderRefusal() {
  const [search, setSearch] = useSearchParams();
  const [refusal] = useState(() => refusals.find((one) => one === search.get('error')) ?? null);
  useEffect(() => {
    if (search.has('error')) setSearch({}, { replace: true });
  }, [search, setSearch]);
  return refusal;
}
