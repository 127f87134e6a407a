// Runs beside a technician's screens: sends queued changes, keeps the service worker registered, and renews the push
// subscription.
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
