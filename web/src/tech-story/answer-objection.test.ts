import { expect, test } from 'vitest';
import { isMileage, objectionTo } from './answer-objection.ts';

test.each(['48213', '48213 mi', '48,213 mi', '48.213 km', '48 213 km', '12', 'in 48,210, out 48,215'])(
  'an odometer shows %s',
  (value) => {
    expect(isMileage(value)).toBe(true);
  },
);

test.each(['2.1 mi', '48,21', '48213.5', 'unknown', '99999999', '48,2133 mi'])(
  'an odometer does not show %s',
  (value) => {
    expect(isMileage(value)).toBe(false);
  },
);

test('an answer is objected to where it would leave something out, or a mileage is none', () => {
  expect(objectionTo('Yes', 'none', '')).toBeNull();
  expect(objectionTo('Yes', 'codes', '')).toBe('missing');
  expect(objectionTo('Yes', 'codes', 'P0301')).toBeNull();
  expect(objectionTo('No', 'codes', 'P0301')).toBe('unsent');
  expect(objectionTo('N/A', 'codes', '')).toBeNull();
  expect(objectionTo('Yes', 'measurement', '2.1 mm')).toBeNull();
  expect(objectionTo('Yes', 'measurement', '2.1')).toBe('noUnit');
  expect(objectionTo('Yes', 'mileage', '2.1 mi')).toBe('notMileage');
});
