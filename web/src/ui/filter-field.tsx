// The fields of a screen's filters: a quiet label above the control.
import { type ReactNode, useId } from 'react';
import { Input } from './form-field.tsx';

interface FilterFieldProps {
  label: string;
  className: string;
  children(id: string): ReactNode;
}

export function FilterField({ label, className, children }: FilterFieldProps) {
  const id = useId();
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-12 text-quiet">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface DayFieldProps {
  label: string;
  day: string;
  /** '': none. */
  min?: string;
  max?: string;
  choose(day: string): void;
}

export function DayField({ label, day, min = '', max = '', choose }: DayFieldProps) {
  return (
    <FilterField label={label} className="w-38 max-md:flex-1">
      {(id) => (
        <Input
          id={id}
          type="date"
          value={day}
          min={min || undefined}
          max={max || undefined}
          onChange={({ target }) => choose(target.value)}
        />
      )}
    </FilterField>
  );
}
