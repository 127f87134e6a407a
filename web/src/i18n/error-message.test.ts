import { afterEach, expect, test } from 'vitest';
import { CallableError } from '../api/callable-function.ts';
import { ApiError } from '../api/http.ts';
import { errorMessage } from './error-message.ts';
import { changeLanguage, i18n } from './i18n.ts';

afterEach(() => changeLanguage('en'));

const SENTENCE = 'The server could not do this just now; please try again';

test.each([
  ['en', 'The server could not do this just now. Please try again.'],
  ['de', 'Der Server konnte das gerade nicht ausführen. Bitte versuchen Sie es noch einmal.'],
  ['es', 'El servidor no ha podido hacerlo en este momento. Inténtelo de nuevo.'],
] as const)(
  'a server that cannot work just now is told of in the language %s, whatever was called',
  async (language, text) => {
    await changeLanguage(language);
    expect(errorMessage(new ApiError(503, 'unavailable', SENTENCE), i18n.t)).toBe(text);
    expect(errorMessage(new CallableError('unavailable', SENTENCE), i18n.t)).toBe(text);
  },
);

test('a failure without a text of its own keeps its sentence', () => {
  const refused = new ApiError(409, 'refused', 'In the words of the server.');
  expect(errorMessage(refused, i18n.t)).toBe('In the words of the server.');
  expect(errorMessage(new CallableError('invalid-argument', 'No.'), i18n.t)).toBe('No.');
  expect(errorMessage(Object.assign(new Error('Stopped.'), { code: 20 }), i18n.t)).toBe('Stopped.');
  expect(errorMessage('Nothing', i18n.t)).toBe('Nothing');
});
