// Turns a push message into a notification to show or to remove. Pure.
import type { components } from '../api/schema.ts';
import type { NotificationTexts } from '../offline/database.ts';
import { isRankedByPriority } from '../rules/urgency.ts';

type PushMessage = components['schemas']['PushMessage'];

/** The data that each of our notifications carries. */
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
    /** A new notification about the same order alerts again. */
    renotify: boolean;
    silent?: boolean;
    requireInteraction: boolean;
    data: PushNotificationData;
  };
}

/** The page uses the same tag for an order, so that it is not announced twice. */
const TAG_PREFIX = 'assignment-';

/** Null: the message is not one of ours. */
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

/** `texts`: in the reader's language; without them the number and the car are enough. */
export function toNotification(
  message: Extract<PushMessage, { type: 'TECH_ASSIGNED' }>,
  texts: NotificationTexts | undefined,
): PushNotification {
  const { displayNumber, vehicle, status, priority, technicianId, url } = message;
  const { roNumbers = [message.roNumber], count = roNumbers.length } = message;
  const state = texts?.status[status] ?? status;
  const urgency = isRankedByPriority(status) ? [texts?.priority[priority] ?? priority] : [];
  return {
    ...severalTitle(count, displayNumber, texts),
    options: {
      body:
        count > 1
          ? listed(roNumbers)
          : [vehicle, state, ...urgency].filter((part) => part !== '').join(' · '),
      ...commonOptions(texts),
      tag: count > 1 ? `${TAG_PREFIX}several-${technicianId}` : tagOf(message.roNumber),
      renotify: true,
      requireInteraction: true,
      data: { roNumbers, technicianId, url },
    },
  };
}

/** The notification without the orders that were reassigned; null when none is left. */
export function withoutOrders(
  shown: PushNotificationData,
  removed: readonly number[],
  texts: NotificationTexts | undefined,
): PushNotification | null {
  const roNumbers = shown.roNumbers.filter((number) => !removed.includes(number));
  if (roNumbers.length === 0) return null;
  return {
    ...severalTitle(roNumbers.length, String(roNumbers[0]), texts),
    options: {
      body: roNumbers.length > 1 ? listed(roNumbers) : '',
      ...commonOptions(texts),
      tag: `${TAG_PREFIX}several-${shown.technicianId}`,
      renotify: false,
      silent: true,
      requireInteraction: true,
      data: { ...shown, roNumbers },
    },
  };
}

/** The data of a notification; one shown by the page has only its tag. */
export function dataOf({ tag, data }: { tag: string; data: unknown }): PushNotificationData {
  const fields = typeof data === 'object' && data !== null ? data : {};
  const number = Number(tag.startsWith(TAG_PREFIX) ? tag.slice(TAG_PREFIX.length) : Number.NaN);
  return {
    roNumbers: 'roNumbers' in fields && Array.isArray(fields.roNumbers) ? fields.roNumbers : [number],
    technicianId: 'technicianId' in fields ? Number(fields.technicianId) : 0,
    url: 'url' in fields && typeof fields.url === 'string' ? fields.url : '/',
  };
}

function tagOf(roNumber: number): string {
  return `${TAG_PREFIX}${roNumber}`;
}

function severalTitle(
  count: number,
  number: string,
  texts: NotificationTexts | undefined,
): { title: string } {
  if (count > 1) return { title: texts?.several.replace('{{number}}', String(count)) ?? `RO × ${count}` };
  return { title: texts?.assigned.replace('{{number}}', number) ?? `RO ${number}` };
}

const MAX_LISTED = 6;

function listed(roNumbers: readonly number[]): string {
  const first = roNumbers.slice(0, MAX_LISTED).join(', ');
  return roNumbers.length > MAX_LISTED ? `${first}, ...` : first;
}

function commonOptions(texts: NotificationTexts | undefined) {
  return texts === undefined ? {} : { lang: texts.language };
}
