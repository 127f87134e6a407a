import type { ComponentProps } from 'react';
import { inputClasses } from '../users/form-field.tsx';

const LEAST = 0.25;
const MOST = 24;

/** The hours of a technician's day. */
export function HoursInput(props: ComponentProps<'input'>) {
  return (
    <input
      type="number"
      inputMode="decimal"
      min={LEAST}
      max={MOST}
      step={0.25}
      required
      {...props}
      className={inputClasses}
    />
  );
}

/** Null: a day does not have that many. */
export function parseHours(text: string): number | null {
  const hours = Number(text);
  return text.trim() !== '' && hours >= LEAST && hours <= MOST ? hours : null;
}
