// Sets a password by a mailed link. The link's secret is in the fragment, which no server sees, and is removed from
// the address bar at once, so that neither the history nor a bystander gets it.
import { useQueryClient } from '@tanstack/react-query';
import { LinkIcon, UserRound } from 'lucide-react';
import { type FormEvent, useLayoutEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { confirmPasswordReset } from '../api/account.ts';
import { ApiError } from '../api/http.ts';
import { sessionState, signOut } from '../api/session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shop } from '../shop/shop.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/form-field.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { AuthLayout } from './auth-layout.tsx';
import { useFormSubmission } from './form-submission.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { policyQuery, requireLength } from './password-policy.ts';
import { useSession } from './use-session.ts';

interface MailedLink {
  token: string;
  isInvitation: boolean;
}

/** Why a link does not work. */
type LinkFailure = 'invalid' | 'expired';

export function ResetScreen() {
  const location = useLocation();
  const [fragment, setFragment] = useState(location.hash);
  // Another link that is opened here changes nothing but the fragment.
  if (location.hash !== '' && location.hash !== fragment) setFragment(location.hash);
  // Before the page is painted, not after it.
  useLayoutEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, [location]);
  return <SetPassword key={fragment} link={parseLink(fragment)} />;
}

function parseLink(fragment: string): MailedLink {
  const linkParams = new URLSearchParams(fragment.replace(/^#/, ''));
  return { token: linkParams.get('token') ?? '', isInvitation: linkParams.get('invitation') === '1' };
}

function SetPassword({ link }: { link: MailedLink }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [over, setOver] = useState<LinkFailure | null>(link.token === '' ? 'invalid' : null);
  const { busy, failure, request, run } = useFormSubmission(
    (error) => errorMessage(error, t) || t('reset.failed'),
  );
  const title = t(link.isInvitation ? 'reset.invitationTitle' : 'reset.title');
  usePageTitle(title);
  if (over !== null) return <LinkIsOver why={over} isInvitation={link.isInvitation} />;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await run(async () => {
      try {
        requireLength(password, client.getQueryData(policyQuery.queryKey));
        if (sessionState().status !== 'signed-out') await signOut();
        const email = await confirmPasswordReset(link.token, password);
        await navigate('/login', { replace: true, state: { email, passwordSet: true } });
      } catch (error) {
        const why = error instanceof ApiError ? error.code : '';
        if (why === 'invalid-link') setOver('invalid');
        else if (why === 'expired-link') setOver('expired');
        // The rules on screen are outdated.
        else if (why === 'weak-password') void client.invalidateQueries(policyQuery);
        throw error;
      }
    });
  };
  const hint = link.isInvitation ? t('reset.invitationHint', { brandName: shop.brandName }) : t('reset.hint');
  return (
    <AuthLayout title={title} hint={hint}>
      <form onSubmit={submit} className="mt-6 flex flex-col gap-4">
        <SignOutFirst />
        <NewPasswordField value={password} change={setPassword} />
        <FailureNote text={failure} request={request} />
        <Button type="submit" variant="primary" disabled={busy} className="h-11 w-full">
          {busy ? t('reset.submitting') : t('reset.submit')}
        </Button>
      </form>
    </AuthLayout>
  );
}

/** Whoever is signed in here need not be who the link was sent to. */
function SignOutFirst() {
  const { t } = useTranslation();
  const session = useSession();
  if (session.status !== 'signed-in') return null;
  const { name, email } = session.user;
  return (
    <p className="flex gap-2 rounded-md bg-stale-tint px-3 py-2 text-13 wrap-anywhere text-stale">
      <UserRound aria-hidden className="mt-px size-4 shrink-0" />
      {t('reset.signedInAs', { name: name === '' ? email : `${name} (${email})` })}
    </p>
  );
}

function LinkIsOver({ why, isInvitation }: { why: LinkFailure; isInvitation: boolean }) {
  const { t } = useTranslation();
  usePageTitle(t(`reset.${why}`));
  return (
    <AuthLayout
      glyph={<LinkIcon aria-hidden className="size-5" />}
      title={t(`reset.${why}`)}
      hint={t(why === 'expired' ? 'reset.expiredHint' : 'reset.invalidHint')}
    >
      {isInvitation && <p className="mt-3 text-14 text-quiet">{t('reset.invitationOver')}</p>}
      <Link
        to="/forgot-password"
        className="mt-6 inline-flex h-11 w-full items-center justify-center rounded-md bg-accent px-3.5 text-14 font-medium text-on-accent hover:bg-accent-strong"
      >
        {t('reset.again')}
      </Link>
    </AuthLayout>
  );
}
