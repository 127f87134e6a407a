import { Fragment, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { Spinner } from '../ui/spinner.tsx';
import { readNavigationState } from './navigation-state.ts';
import { useSession } from './use-session.ts';

/** Signed-in users only; anybody else goes to the login screen, and comes back with a code that was scanned. */
export function ProtectedRoute({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.status === 'loading') return <RestoringSession />;
  if (session.status === 'signed-out') {
    const scanned = new URLSearchParams(search).has('code') ? pathname + search : undefined;
    return <Navigate to="/login" replace state={{ scanned }} />;
  }
  // When the user changes in one go, React never sees the moment in between: the key takes the last one's
  // screens and socket down all the same.
  return <Fragment key={session.user.uid}>{children}</Fragment>;
}

/** The login screen's opposite: whoever is signed in already goes to the dashboard. */
export function SignedOutRoute({ children }: { children: ReactNode }) {
  const session = useSession();
  const { state } = useLocation();
  if (session.status === 'loading') return <RestoringSession />;
  return session.status === 'signed-in' ? (
    <Navigate to={readNavigationState(state).scanned ?? '/dashboard'} replace />
  ) : (
    children
  );
}

function RestoringSession() {
  const { t } = useTranslation();
  return (
    <main className="grid h-full place-items-center">
      <Spinner label={t('login.restoring')} />
    </main>
  );
}
