import { expect, test } from 'vitest';
import { withUnit } from './answer-value.tsx';

test('a unit goes behind the number, in the place of the one that is there', () => {
  expect(withUnit('2.5', 'mm')).toBe('2.5 mm');
  expect(withUnit('2.5 mm', 'in')).toBe('2.5 in');
  expect(withUnit('left 1 mm, right 2', 'mm')).toBe('left 1 mm, right 2 mm');
  expect(withUnit('', 'V')).toBe('V');
  expect(withUnit('41250 ', 'km')).toBe('41250 km');
});
