import { expect, test } from 'vitest';
import { nameForms, vehicleForms } from './short-names.ts';

test.each([
  ['Maximilian Alexander von Habsburg', 'Maximilian A. v. H.', 'Maximilian H.'],
  ["D'Andre Whitfield-Montgomery", "D'Andre W.", "D'Andre W."],
  ["Dale 'Skip' Hargrove", 'Dale S. H.', 'Dale H.'],
  ['Terrell Jefferson III', 'Terrell J. III', 'Terrell III'],
  ['Tuyết Nhung Đặng', 'Tuyết N. Đ.', 'Tuyết Đ.'],
  ['Андрей Коваленко', 'Андрей К.', 'Андрей К.'],
])('%s is %s where there is little room, and %s where there is less', (...forms) => {
  expect(nameForms(forms[0])).toEqual(forms);
});

test('a name of one word has no shorter form', () => {
  expect(nameForms('Cher')).toEqual(['Cher']);
  expect(nameForms('')).toEqual(['']);
});

test('a vehicle loses its year first, then its trim, and keeps make and model', () => {
  expect(vehicleForms('2017 Jeep Grand Cherokee Limited')).toEqual([
    '2017 Jeep Grand Cherokee Limited',
    'Jeep Grand Cherokee Limited',
    'Jeep Grand Cherokee',
    'Jeep Grand',
  ]);
  expect(vehicleForms('Trailer')).toEqual(['Trailer']);
  expect(vehicleForms('2019')).toEqual(['2019']);
  expect(vehicleForms('')).toEqual(['']);
});
