import { expect, test } from 'vitest';
import { isolate } from './bidi.ts';
import { i18n } from './i18n.ts';

const YOUSSEF = 'يوسف حداد';

test.each([YOUSSEF, 'משה כהן', 'Bo (يوسف)'])('%s stands apart from the sentence around it', (name) => {
  expect(isolate(name)).toBe(`\u2068${name}\u2069`);
});

test.each(['Bo Li', 'Андрей Коваленко', '김민준', '40646', ''])('%j is left as it is', (name) => {
  expect(isolate(name)).toBe(name);
});

test('every value of a text is isolated, of a plural, too', () => {
  expect(i18n.t('order.advisor', { name: YOUSSEF })).toBe(`Advisor: \u2068${YOUSSEF}\u2069`);
  expect(i18n.t('dispatching.hours', { hours: 2 })).toBe('2 h');
});
