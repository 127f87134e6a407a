import type { TFunction } from 'i18next';
import type { en } from '../i18n/en.ts';
import type { NotificationTexts } from './database.ts';

/** The texts of the service worker's notifications; it inserts the numbers. */
export function notificationTexts(t: TFunction, language: string): NotificationTexts {
  const statuses = [
    'Waiting',
    'Drop',
    'PDI',
    'Used',
    'ENG',
    'Trans',
  ] as const satisfies (keyof typeof en.status)[];
  const priorities = ['Waiting', 'High', 'Medium', 'Low'] as const satisfies (keyof typeof en.priority)[];
  return {
    language,
    assigned: t('offline.notice.assigned', { number: '{{number}}' }),
    several: t('offline.notice.several', { number: '{{number}}' }),
    status: Object.fromEntries(statuses.map((status) => [status, t(`status.${status}`)])),
    priority: Object.fromEntries(priorities.map((priority) => [priority, t(`priority.${priority}`)])),
  };
}
