// What speaks against sending an answer as it was pressed.
import type { Answer, AnswerField } from '../api/tech-stories.ts';

/**
 * `missing`: a Yes without its value. `unsent`: a value that goes only with a Yes. `noUnit`: a measured number alone. These
 * are sent if the same answer is pressed again. `notMileage`: the value is no odometer's.
 */
export type Objection = 'missing' | 'unsent' | 'noUnit' | 'notMileage';

export function objectionTo(answer: Answer, field: AnswerField, value: string): Objection | null {
  if (field === 'none') return null;
  if (answer !== 'Yes') return value === '' ? null : 'unsent';
  if (value === '') return 'missing';
  if (field === 'measurement' && /\d$/.test(value)) return 'noUnit';
  return field === 'mileage' && !isMileage(value) ? 'notMileage' : null;
}

/** No odometer shows more. */
const MAX_MILEAGE = 2_000_000;

/** Whole numbers, with or without marks between thousands: '48213 mi', '48,213', 'in 48.213, out 48.215'. */
export function isMileage(value: string): boolean {
  const numbers = value.match(/\d(?:[\d.,'’\u00a0\u202f]*\d)?(?: \d{3}(?!\d))*/g) ?? [];
  return numbers.length > 0 && numbers.every(isWhole);
}

function isWhole(number: string): boolean {
  const isGrouped = /^\d{1,3}([.,'’ \u00a0\u202f])\d{3}(\1\d{3})*$/.test(number);
  return (isGrouped || /^\d+$/.test(number)) && Number(number.replace(/\D/g, '')) <= MAX_MILEAGE;
}
