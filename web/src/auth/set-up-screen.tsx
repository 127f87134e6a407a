// The first start: makes the first owner by the link that the server printed. The link's secret is in the fragment, which
// no server sees, and is removed from the address bar at once.
import { useQuery } from '@tanstack/react-query';
import { LinkIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { checkSetUpLink, type SetUpLinkFailure, setUpLinkFailure } from '../api/set-up.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/form-field.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { Spinner } from '../ui/spinner.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { SetUpForm } from './set-up-form.tsx';
import { useSetUpWatch } from './set-up-watch.ts';

export function SetUpScreen() {
  const location = useLocation();
  const [fragment, setFragment] = useState(location.hash);
  // Another link that is opened here changes nothing but the fragment.
  if (location.hash !== '' && location.hash !== fragment) setFragment(location.hash);
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, [location]);
  const token = new URLSearchParams(fragment.replace(/^#/, '')).get('token') ?? '';
  return <CheckedLink key={token} token={token} />;
}

/** Nobody fills in a form whose link is over. */
function CheckedLink({ token }: { token: string }) {
  const { t } = useTranslation();
  const [over, setOver] = useState<SetUpLinkFailure | null>(null);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['set-up', token],
    queryFn: ({ signal }) => checkSetUpLink(token, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  usePageTitle(t('setUp.title'));
  const why = over ?? setUpLinkFailure(error);
  if (why !== null) return <LinkIsOver why={why} />;
  if (data !== undefined) return <SetUpForm token={token} questions={data} end={setOver} />;
  if (error === null) {
    return (
      <main className="grid h-full place-items-center">
        <Spinner label={t('setUp.checking')} />
      </main>
    );
  }
  return (
    <AuthLayout title={t('setUp.title')} hint={t('setUp.notChecked')}>
      <div className="mt-6 flex flex-col gap-4">
        <FailureNote text={errorMessage(error, t)} request={failedRequest(error, t)} />
        <Button
          variant="primary"
          disabled={isFetching}
          onClick={() => void refetch()}
          className="h-11 w-full"
        >
          {t('live.retry')}
        </Button>
      </div>
    </AuthLayout>
  );
}

function LinkIsOver({ why }: { why: SetUpLinkFailure }) {
  const { t } = useTranslation();
  useSetUpWatch(() => location.replace('/login'), why === 'invalid-link');
  return (
    <AuthLayout
      glyph={<LinkIcon aria-hidden className="size-5" />}
      title={t(`setUp.over.${why}`)}
      hint={t(`setUp.overHint.${why}`)}
    >
      <Link
        to="/login"
        className="mt-6 inline-flex h-11 w-full items-center justify-center rounded-md bg-accent px-3.5 text-14 font-medium text-on-accent hover:bg-accent-strong"
      >
        {t('setUp.toSignIn')}
      </Link>
    </AuthLayout>
  );
}
