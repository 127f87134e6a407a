// The field of a question that can be given a value with a Yes: codes, a measured value, a part.
import { type RefObject, useId } from 'react';
import type { AnswerField } from '../api/tech-stories.ts';
import { useTranslation } from '../i18n/use-translation.ts';

/** A question's field other than none. */
type ValueField = Exclude<AnswerField, 'none'>;

/** Appended by a tap, where a phone's keypad is slow. */
const UNITS: Partial<Record<ValueField, readonly string[]>> = {
  measurement: ['mm', 'in', 'V', 'A', 'ohm', 'psi', 'bar', '°F', '°C', '%'],
  mileage: ['mi', 'km'],
};
const MAX_LENGTH = 500;

interface AnswerValueProps {
  field: ValueField;
  value: string;
  write(value: string): void;
  /** Yes was pressed without a value. */
  isMissing: boolean;
  /** Enter: the answer is Yes. */
  submit(): void;
  input: RefObject<HTMLInputElement | null>;
}

export function AnswerValue({ field, value, write, isMissing, submit, input }: AnswerValueProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium">
        {t(`story.field.${field}`)}
      </label>
      <input
        ref={input}
        id={id}
        value={value}
        maxLength={MAX_LENGTH}
        inputMode={field === 'mileage' ? 'decimal' : 'text'}
        autoComplete="off"
        autoCapitalize={field === 'codes' || field === 'part-number' ? 'characters' : 'sentences'}
        spellCheck={field === 'text'}
        aria-invalid={isMissing}
        aria-describedby={isMissing ? `${id}missing` : undefined}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
        className="h-11 w-full min-w-0 rounded-md border border-line-strong bg-raised px-2.5 text-14 aria-invalid:border-stale max-md:h-12 max-md:text-16"
      />
      <UnitButtons
        units={UNITS[field] ?? []}
        append={(unit) => {
          write(withUnit(value, unit));
          input.current?.focus();
        }}
      />
      {isMissing && (
        <p id={`${id}missing`} role="alert" className="text-12 text-stale">
          {t('story.field.missing')}
        </p>
      )}
    </div>
  );
}

interface UnitButtonsProps {
  units: readonly string[];
  append(unit: string): void;
}

function UnitButtons({ units, append }: UnitButtonsProps) {
  const { t } = useTranslation();
  if (units.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{t('story.field.units')}</legend>
      {units.map((unit) => (
        <button
          key={unit}
          type="button"
          onClick={() => append(unit)}
          className="h-8 min-w-10 rounded-md border border-line px-2.5 text-13 text-quiet hover:border-accent hover:text-accent max-md:h-11 max-md:min-w-11 pointer-coarse:h-11 pointer-coarse:min-w-11"
        >
          {unit}
        </button>
      ))}
    </fieldset>
  );
}

/** One unit at the end, in the place of another one. */
export function withUnit(value: string, unit: string): string {
  const units = [...(UNITS.measurement ?? []), ...(UNITS.mileage ?? [])];
  const bare = value.trimEnd();
  const last = units.find((one) => bare.endsWith(` ${one}`));
  const number = last === undefined ? bare : bare.slice(0, -last.length).trimEnd();
  return `${number} ${unit}`.trimStart();
}
