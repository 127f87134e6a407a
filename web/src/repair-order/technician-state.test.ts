import { afterEach, beforeAll, expect, test } from 'vitest';
import { changeLanguage, i18n, loadTexts } from '../i18n/i18n.ts';
import { screenTexts } from '../i18n/screens.ts';
import { reasonText } from './technician-ranking.ts';
import { stateLabel, stateText } from './technician-state.ts';

beforeAll(() => loadTexts(screenTexts));
afterEach(() => changeLanguage('en'));

test.each([
  ['en', ['off the clock', 'free', 'on a job'], 'Off the clock'],
  ['de', ['ausgestempelt', 'frei', 'an einer Arbeit'], 'Ausgestempelt'],
  ['es', ['sin fichar', 'libre', 'en un trabajo'], 'Sin fichar'],
] as const)('each state of a clock has one word in %s', async (language, words, label) => {
  await changeLanguage(language);
  const states = ['off', 'idle', 'on-job'] as const;
  expect(states.map((state) => stateText(state, i18n.t))).toEqual(words);
  expect(stateLabel('off', i18n.t, language)).toBe(label);
  // Also where a job is another car's, and in the texts of the technicians' page that have the word in a sentence.
  for (const state of states) {
    expect(reasonText([{ kind: 'clock', state }], i18n.t, language)).toEqual([stateText(state, i18n.t)]);
  }
  const free = new RegExp(stateText('idle', i18n.t), 'i');
  expect(i18n.t('workload.freeCount', { count: 2 })).toMatch(free);
  expect(i18n.t('workload.orderBy.idle')).toMatch(free);
});
