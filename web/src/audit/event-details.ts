// The detail of an event in the reader's language: the server writes it in English. Names, addresses and options stay
// as they are, and so do unknown details.
import type { TFunction } from 'i18next';
import type { AuditEvent } from '../api/audit.ts';
import { en } from '../i18n/en.ts';
import type { screensEn } from '../i18n/screens.en.ts';
import { isKind, isOutcome } from './audit.ts';

const phrases: Readonly<Record<string, keyof typeof screensEn.audit.phrase>> = {
  'new device': 'newDevice',
  'at the provider': 'atProvider',
  'by a mailed link': 'byMail',
  'the first one, by an invitation': 'byInvitation',
  "one of one's own": 'oneOfTheirs',
  "all of one's own": 'allOfTheirs',
  all: 'all',
  'one, by an owner': 'oneByOwner',
  'all, by an owner': 'allByOwner',
  'all of everybody': 'everybody',
  account: 'account',
  'account without a staff document': 'noDocument',
  'tokens of the keys before are refused': 'oldTokensRefused',
  'tokens of the keys before are good until they expire': 'oldTokensGood',
  'by its code': 'byCode',
  'by a link': 'byLink',
  'by the set-up link': 'bySetUpLink',
  'the first start': 'firstStart',
  'counted, not told one by one': 'counted',
  everything: 'everything',
};

export function describeDetail({ kind, detail }: AuditEvent, t: TFunction): string | null {
  if (detail === null) return null;
  const phrase = Object.hasOwn(phrases, detail) ? phrases[detail] : undefined;
  if (phrase !== undefined) return t(`audit.phrase.${phrase}`);
  switch (kind) {
    case 'user-invited':
    case 'user-added':
    case 'user-removed':
    case 'invitation-withdrawn':
      return describeGranted(detail, t);
    case 'roles-changed':
      return describeChange(detail, /^roles (.+) -> (.+)$/, (text) => roles(text, t));
    case 'technician-link-changed':
      return describeChange(detail, /^technician (.+) -> (.+)$/, (text) => orNone(text, t));
    case 'configuration-changed':
      return describeChange(detail, /^([a-z-]+: )(.+) -> (.+)$/, (text) => orNone(text, t));
    case 'database-restored': {
      const [, before, now] = /^log (\S+) is now log (\S+)$/.exec(detail) ?? [];
      return before === undefined || now === undefined
        ? detail
        : t('audit.phrase.logChanged', { before, now });
    }
    case 'audit-exported':
      return detail
        .split(', ')
        .map((part) => filter(part, t))
        .join(' · ');
    default:
      return detail;
  }
}

/** A change from the first text to the second; a leading group of three is kept. */
function describeChange(detail: string, shape: RegExp, worded: (text: string) => string): string {
  const [, ...parts] = shape.exec(detail) ?? [];
  const now = parts.pop();
  const before = parts.pop();
  if (before === undefined || now === undefined) return detail;
  return `${parts.join('')}${worded(before)} → ${worded(now)}`;
}

/** The granted roles and the technician. */
function describeGranted(detail: string, t: TFunction): string {
  const [, again, names, technician] =
    /^(once more, )?roles (.+?)(?:, technician (\d+))?$/.exec(detail) ?? [];
  if (names === undefined) return detail;
  return [
    ...(again === undefined ? [] : [t('audit.phrase.onceMore')]),
    roles(names, t),
    ...(technician === undefined ? [] : [t('audit.phrase.technician', { id: technician })]),
  ].join(' · ');
}

function roles(names: string, t: TFunction): string {
  if (names === 'none') return t('audit.phrase.noRole');
  return names
    .split(' ')
    .map((name) => (isRole(name) ? t(`role.${name}`) : name))
    .join(', ');
}

function isRole(name: string): name is keyof typeof en.role {
  return Object.hasOwn(en.role, name);
}

function orNone(text: string, t: TFunction): string {
  return text === 'none' ? t('audit.phrase.none') : text;
}

/** One filter of a downloaded file. */
function filter(part: string, t: TFunction): string {
  if (isKind(part)) return t(`audit.kind.${part}`);
  if (isOutcome(part)) return t(`audit.outcome.${part}`);
  const [, name, text] = /^(person|from|to) (.+)$/.exec(part) ?? [];
  if (text === undefined) return part;
  if (name === 'from') return t('audit.phrase.from', { time: text });
  return name === 'to' ? t('audit.phrase.to', { time: text }) : text;
}
