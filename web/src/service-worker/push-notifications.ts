// What a push becomes: a notification to show, or one to take away. Pure.
import type { components } from '../api/schema.ts';
import type { NotificationTexts } from '../offline/database.ts';

type PushMessage = components['schemas']['PushMessage'];

/** What a notification of ours carries, as long as it is up. */
export interface PushNotificationData {
  roNumbers: number[];
  technicianId: number;
  url: string;
}

export interface PushNotification {
  title: string;
  options: {
    body: string;
    tag: string;
    lang?: string;
    /** One about the same order is told again, not just changed. */
    renotify: boolean;
    silent?: boolean;
    requireInteraction: boolean;
    data: PushNotificationData;
  };
}

/** The page tells of an order under the same, so that it is not told twice. */
const TAG = 'assignment-';

/** Null: it is no message of ours. */
export function parsePushMessage(text: string): PushMessage | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isMessage(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function isMessage(parsed: unknown): parsed is PushMessage {
  if (typeof parsed !== 'object' || parsed === null || !('type' in parsed)) return false;
  if (parsed.type !== 'TECH_ASSIGNED' && parsed.type !== 'TECH_UNASSIGNED') return false;
  return 'roNumber' in parsed && typeof parsed.roNumber === 'number';
}

/** `words`: in the reader's language; without any the number and the car say enough. */
export function toNotification(
  message: Extract<PushMessage, { type: 'TECH_ASSIGNED' }>,
  words: NotificationTexts | undefined,
): PushNotification {
  const { displayNumber, vehicle, status, priority, technicianId, url } = message;
  const { roNumbers = [message.roNumber], count = roNumbers.length } = message;
  const state = words?.status[status] ?? status;
  const urgency = status === 'Drop' ? [words?.priority[priority] ?? priority] : [];
  return {
    ...several(count, displayNumber, words),
    options: {
      body:
        count > 1
          ? listed(roNumbers)
          : [vehicle, state, ...urgency].filter((part) => part !== '').join(' · '),
      ...common(words),
      tag: count > 1 ? `${TAG}several-${technicianId}` : tagOf(message.roNumber),
      renotify: true,
      requireInteraction: true,
      data: { roNumbers, technicianId, url },
    },
  };
}

/** What is left of one when some of its orders are somebody else's now; null: nothing. */
export function withoutOrders(
  shown: PushNotificationData,
  removed: readonly number[],
  words: NotificationTexts | undefined,
): PushNotification | null {
  const roNumbers = shown.roNumbers.filter((number) => !removed.includes(number));
  if (roNumbers.length === 0) return null;
  return {
    ...several(roNumbers.length, String(roNumbers[0]), words),
    options: {
      body: roNumbers.length > 1 ? listed(roNumbers) : '',
      ...common(words),
      tag: `${TAG}several-${shown.technicianId}`,
      renotify: false,
      silent: true,
      requireInteraction: true,
      data: { ...shown, roNumbers },
    },
  };
}

/** What a notification is about; one of the page's says it by its tag alone. */
export function dataOf({ tag, data }: { tag: string; data: unknown }): PushNotificationData {
  const fields = typeof data === 'object' && data !== null ? data : {};
  const number = Number(tag.startsWith(TAG) ? tag.slice(TAG.length) : Number.NaN);
  return {
    roNumbers: 'roNumbers' in fields && Array.isArray(fields.roNumbers) ? fields.roNumbers : [number],
    technicianId: 'technicianId' in fields ? Number(fields.technicianId) : 0,
    url: 'url' in fields && typeof fields.url === 'string' ? fields.url : '/',
  };
}

function tagOf(roNumber: number): string {
  return `${TAG}${roNumber}`;
}

function several(count: number, number: string, words: NotificationTexts | undefined): { title: string } {
  if (count > 1) return { title: words?.several.replace('{{number}}', String(count)) ?? `RO × ${count}` };
  return { title: words?.assigned.replace('{{number}}', number) ?? `RO ${number}` };
}

const LISTED = 6;

function listed(roNumbers: readonly number[]): string {
  const first = roNumbers.slice(0, LISTED).join(', ');
  return roNumbers.length > LISTED ? `${first}, ...` : first;
}

function common(words: NotificationTexts | undefined) {
  return words === undefined ? {} : { lang: words.language };
}
