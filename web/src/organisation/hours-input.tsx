import type { ComponentProps } from 'react';
import { Input } from '../ui/form-field.tsx';

const MIN_HOURS = 0.25;
const MAX_HOURS = 24;

/** The hours of a technician's day. */
export function HoursInput(props: ComponentProps<'input'>) {
  return (
    <Input
      type="number"
      inputMode="decimal"
      min={MIN_HOURS}
      max={MAX_HOURS}
      step={0.25}
      required
      {...props}
    />
  );
}

/** Null: a day does not have that many. */
export function parseHours(text: string): number | null {
  const hours = Number(text);
  return text.trim() !== '' && hours >= MIN_HOURS && hours <= MAX_HOURS ? hours : null;
}
