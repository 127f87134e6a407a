import { expect, test } from 'vitest';
import { withoutUnit, withUnit } from './value-units.ts';

test('a unit goes behind a number, and not behind words', () => {
  expect(withUnit(' 2.5 ', 'mm')).toBe('2.5 mm');
  expect(withUnit('left 1 mm, right 2', 'mm')).toBe('left 1 mm, right 2 mm');
  expect(withUnit('74 Nm', 'mm')).toBe('74 Nm');
  expect(withUnit('', 'V')).toBe('');
  expect(withUnit('P0301', null)).toBe('P0301');
});

test('a typed unit gives way to a tapped one', () => {
  expect(withoutUnit('2.5 mm')).toBe('2.5');
  expect(withoutUnit('12.4V')).toBe('12.4');
  expect(withoutUnit('41250 ')).toBe('41250 ');
  expect(withoutUnit('worn in')).toBe('worn in');
});
