import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEvent, AuditKind } from '../api/audit.ts';
import { changeLanguage, i18n } from '../i18n/i18n.ts';
import { describeDetail } from './event-details.ts';

const event = (kind: AuditKind, detail: string | null): AuditEvent => ({
  id: 1,
  at: '2026-11-22T16:20:00Z',
  kind,
  outcome: 'done',
  reason: null,
  address: null,
  actor: 'server',
  who: null,
  whoId: null,
  about: null,
  aboutId: null,
  detail,
  count: 1,
});

beforeAll(() => changeLanguage('de'));
afterAll(() => changeLanguage('en'));

test.each([
  ['sign-in', 'new device', 'neues Gerät'],
  ['session-ended', "all of one's own", 'alle eigenen'],
  ['roles-changed', 'roles Advisor Service_Manager -> none', 'Serviceberater, Serviceleiter → keine Rolle'],
  ['user-added', 'roles Technician, technician 7', 'Techniker · Techniker Nr. 7'],
  ['user-invited', 'once more, roles Owner', 'noch einmal · Inhaber'],
  ['technician-link-changed', 'technician none -> 7', 'keine → 7'],
  [
    'configuration-changed',
    'public-url: none -> https://desk.example.com/',
    'public-url: keine → https://desk.example.com/',
  ],
  ['database-restored', 'log 3 is now log 4', 'Verlauf 3 heißt jetzt 4'],
  [
    'audit-exported',
    'person ann@, refused, from 2026-11-01T00:00:00Z, roles-changed',
    'ann@ · Abgewiesen · ab 2026-11-01T00:00:00Z · Rollen geändert',
  ],
] as const)('what the server writes of %s, “%s”, is told in the page’s language', (kind, detail, text) => {
  expect(describeDetail(event(kind, detail), i18n.t)).toBe(text);
});

test.each([
  ['forbidden', 'GET /api/users'],
  ['provider-linked', 'https://accounts.example.com'],
  ['roles-changed', 'something of a newer server'],
  ['sign-in', 'constructor'],
] as const)('of %s, “%s” stays as it is', (kind, detail) => {
  expect(describeDetail(event(kind, detail), i18n.t)).toBe(detail);
});

test('an empty detail stays empty', () => {
  expect(describeDetail(event('sign-in', null), i18n.t)).toBeNull();
});
