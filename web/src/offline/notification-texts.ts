import type { TFunction } from 'i18next';
import type { NotificationTexts } from './database.ts';

/** The texts of the service worker's notifications; it inserts the numbers. */
export function notificationTexts(t: TFunction, language: string): NotificationTexts {
  return {
    language,
    assigned: t('offline.notice.assigned', { number: '{{number}}' }),
    several: t('offline.notice.several', { number: '{{number}}' }),
    status: t('status', { returnObjects: true }),
    priority: t('priority', { returnObjects: true }),
  };
}
