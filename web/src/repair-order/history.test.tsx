import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type FieldChange, fetchHistory } from '../api/repair-orders.ts';
import { changeLanguage, type Language, loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { History } from './history.tsx';
import { someStages } from './stages.fixture.ts';
import { shopStages } from './stages.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchHistory: vi.fn(),
}));

afterEach(() => changeLanguage('en'));

const change = (field: string, from: string | null, to: string | null): FieldChange => ({ field, from, to });
const ofJob = (jobNumber: number, one: FieldChange): FieldChange => ({ ...one, jobNumber });

async function lineOf(one: FieldChange, language: Language = 'en'): Promise<string | null> {
  const [line] = await linesOf(one, language);
  return line ?? null;
}

/** The line of the change, and who made it. */
async function linesOf(
  one: FieldChange,
  language: Language = 'en',
  name = 'Dana',
): Promise<(string | null)[]> {
  await changeLanguage(language);
  await loadTexts(stageTexts);
  const client = new QueryClient();
  client.setQueryData(shopStages.queryKey, someStages);
  vi.mocked(fetchHistory).mockResolvedValue([
    {
      seq: 2,
      version: 2,
      action: 'IMPORTED',
      by: { uid: 'd', name },
      channel: name === 'Job clock' ? 'clock' : 'import',
      at: '2026-03-02T14:00:00Z',
      changes: [one],
      request: '2',
      undoable: false,
    },
  ]);
  render(
    <QueryClientProvider client={client}>
      <History roNumber={7} version={2} outcome={{ customerStatus: 'Drop', technicians: [] }} />
    </QueryClientProvider>,
  );
  const lines = (await screen.findByRole('listitem')).getElementsByTagName('p');
  return [...lines].map((line) => line.textContent);
}

test.each<[Language, string]>([
  ['en', 'Closed: Open → '],
  ['de', 'Abgeschlossen: Offen → '],
  ['es', 'Cerrada: Abierta → '],
])('an order was open before it was closed (%s)', async (language, begin) => {
  expect(await lineOf(change('closed', null, '2026-03-02T14:00:00Z'), language)).toContain(begin);
});

test('an order that is opened again was closed before', async () => {
  expect(await lineOf(change('closed', '2026-03-02T14:00:00Z', null))).toMatch(/^Closed: .*\d.* → Open$/);
});

test.each([
  [change('promisedDateTime', null, '2026-03-02T14:00:00Z'), /^Promised: No time promised → .*\d/],
  [change('etlTechnicians', '', 'Bo'), /^ETL technicians: No technicians assigned → Bo$/],
  [change('tagNumber', null, 'T12'), /^Tag: blank → T12$/],
  [ofJob(1, change('cause', 'Worn', '')), /^Job 1: Cause: Worn → blank$/],
  [ofJob(1, change('concern', '', 'Squeals')), /^Job 1: Concern: No concern noted → Squeals$/],
  [
    ofJob(1, change('techStory', 'Replaced.', '')),
    /^Job 1: Technician story: No technician story available yet$/,
  ],
])('in place of a value that is not there stands what the screens show: %j', async (one, line) => {
  expect(await lineOf(one)).toMatch(line);
});

test.each([
  [ofJob(2, change('concern', null, 'Squeals')), 'Job 2: Concern: Squeals'],
  [ofJob(2, change('operations', null, '')), 'Job 2: Opcodes: No OpCode'],
  [change('handedBack', null, 'No lift'), 'Handed back: No lift'],
])('of what was not there at all only the new value is shown: %j', async (one, line) => {
  expect(await lineOf(one)).toBe(line);
});

test('a stage, a hold and what is done are told in words of the page', async () => {
  const moved = change('stage', 'to-be-dispatched', 'in-work');
  expect(await linesOf(moved, 'de', 'Job clock')).toEqual([
    'Arbeitsschritt: To be dispatched (de) → In work (de)',
    expect.stringMatching(/ · Stempeluhr$/),
  ]);
});

test('an import is named once, in the words of the page', async () => {
  const [, byline] = await linesOf(change('tagNumber', null, 'T12'), 'es', 'Import');
  expect(byline?.split(' · ').slice(1)).toEqual(['Importación']);
});

test.each([
  [change('stage', null, 'in-work'), 'Stage: In work'],
  [change('hold', 'parts', 'approval'), 'Hold: Parts → Approval'],
  [change('holdActor', 'parts', 'advisor'), 'Hold: who acts: Parts counter → Advisor'],
  [ofJob(2, change('jobDone', null, 'done')), 'Job 2: Done: yes'],
  [ofJob(2, change('jobDone', 'done', null)), 'Job 2: Done: yes → no'],
])('no identifier is shown: %j', async (one, line) => {
  expect(await lineOf(one)).toBe(line);
});
