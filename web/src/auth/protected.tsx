import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { Spinner } from '../ui/spinner.tsx';
import { useSession } from './use-session.ts';

/** Signed-in users only; anybody else goes to the login screen. */
export function Protected({ children }: { children: ReactNode }) {
  const session = useSession();
  if (session.status === 'loading') return <Restoring />;
  return session.status === 'signed-in' ? children : <Navigate to="/login" replace />;
}

/** The login screen's opposite: whoever is signed in already goes to the dashboard. */
export function SignedOutOnly({ children }: { children: ReactNode }) {
  const session = useSession();
  if (session.status === 'loading') return <Restoring />;
  return session.status === 'signed-in' ? <Navigate to="/dashboard" replace /> : children;
}

function Restoring() {
  const { t } = useTranslation();
  return (
    <main className="grid h-full place-items-center">
      <Spinner label={t('login.restoring')} />
    </main>
  );
}
