import type { ComponentProps } from 'react';
import { Input } from '../ui/form-field.tsx';

/** A skill's level: what the server takes is a whole number from 0 to a million. */
export function LevelInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return (
    <Input
      type="number"
      inputMode="numeric"
      min={0}
      max={1_000_000}
      step={1}
      {...rest}
      className={className}
    />
  );
}

/** Null: it is not one. */
export function parseLevel(text: string): number | null {
  const level = Number(text);
  return text.trim() !== '' && Number.isInteger(level) && level >= 0 && level <= 1_000_000 ? level : null;
}
