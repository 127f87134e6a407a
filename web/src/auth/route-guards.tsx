import { Fragment, type ReactNode, useEffect } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { sessionEnd } from '../api/session.ts';
import { addressAfterSignIn, loginState, readNavigationState, takeAskedAddress } from './navigation-state.ts';
import { RestoringSession } from './restoring-session.tsx';
import { useSession } from './use-session.ts';

/** Signed-in users only; anybody else goes to the login screen, and comes back after the sign-in. */
export function ProtectedRoute({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  useReturnFromProvider(session.status === 'signed-in' ? session.user.uid : null);
  if (session.status === 'loading') return <RestoringSession {...session} />;
  if (session.status === 'signed-out')
    return <Navigate to="/login" replace state={loginState(sessionEnd(), pathname + search + hash)} />;
  // When the user changes in one go, React never sees the moment in between: the key takes the last one's
  // screens and socket down all the same.
  return <Fragment key={session.user.uid}>{children}</Fragment>;
}

/** A sign-in with another provider ends at the start: from there it goes on to what was asked for. */
function useReturnFromProvider(uid: string | null): void {
  const navigate = useNavigate();
  useEffect(() => {
    const asked = uid === null ? null : takeAskedAddress();
    if (uid !== null && asked !== null) void navigate(addressAfterSignIn(asked, uid), { replace: true });
  }, [uid, navigate]);
}

/** The login screen's opposite: whoever is signed in goes to where they wanted to, else to their start. */
export function SignedOutRoute({ children }: { children: ReactNode }) {
  const session = useSession();
  const { state } = useLocation();
  if (session.status === 'loading') return <RestoringSession {...session} />;
  if (session.status === 'signed-out') return children;
  const { asked } = readNavigationState(state);
  return <Navigate to={addressAfterSignIn(asked, session.user.uid)} replace />;
}
