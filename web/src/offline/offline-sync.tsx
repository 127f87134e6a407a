// What a technician's page does beside its screens, for a time without a connection: sends what waits, keeps the
// service worker, and renews what tells of work while it is closed.
import { useEffect } from 'react';
import { useMatch } from 'react-router';
import { useSession } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { notificationTexts } from './notification-texts.ts';
import { useOutbox } from './outbox.ts';
import { renewPush } from './push-subscription.ts';
import { registerServiceWorker } from './service-worker-registration.ts';
import { SignOutConfirmation } from './sign-out-confirmation.tsx';

export function OfflineSync() {
  const { t, language } = useTranslation();
  const isPortal = useMatch('/technicians/:id') !== null;
  const session = useSession();
  const isConfirmed = session.status === 'signed-in' && session.remembered === undefined;
  useOutbox();
  useEffect(() => {
    if (isPortal) void registerServiceWorker();
  }, [isPortal]);
  useEffect(() => {
    if (!isPortal || !isConfirmed) return;
    renewPush(notificationTexts(t, language)).catch((failure: unknown) => {
      console.warn('Nothing may be told while this page is closed.', failure);
    });
  }, [isPortal, isConfirmed, t, language]);
  return <SignOutConfirmation />;
}
