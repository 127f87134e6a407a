// The units of a value, which are tapped where a phone's keypad is slow.
import type { AnswerField } from '../api/tech-stories.ts';

/** A question's field other than none. */
export type ValueField = Exclude<AnswerField, 'none'>;

export const UNITS: Partial<Record<AnswerField, readonly string[]>> = {
  measurement: ['mm', 'in', 'V', 'A', 'ohm', 'psi', 'bar', '°F', '°C', '%'],
  mileage: ['mi', 'km'],
};

/** The unit goes behind a number at the end; a text that ends in words of its own stays as it is. */
export function withUnit(text: string, unit: string | null): string {
  const bare = text.trim();
  return unit !== null && /\d$/.test(bare) ? `${bare} ${unit}` : bare;
}

/** Without the unit that was typed at its end, for another to be tapped. */
export function withoutUnit(text: string): string {
  const bare = text.trimEnd();
  const all = Object.values(UNITS).flat();
  const last = all.find((unit) => bare.endsWith(unit) && /\d\s*$/.test(bare.slice(0, -unit.length)));
  return last === undefined ? text : bare.slice(0, -last.length).trimEnd();
}
