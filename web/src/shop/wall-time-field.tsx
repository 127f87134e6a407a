// A field for a day and a time at the shop. It says where the clock is put forward over that time, and asks which one is
// meant where the clock shows it twice.
import { type Ref, useId } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Field, Input } from '../ui/form-field.tsx';
import { useClock } from './clock.ts';
import { retyped, type TypedTime } from './typed-time.ts';
import { readWallTime, type WallTimeReading } from './wall-time.ts';

interface WallTimeFieldProps {
  label: string;
  value: TypedTime;
  change(value: TypedTime): void;
  ref?: Ref<HTMLInputElement>;
}

export function WallTimeField({ label, value, change, ref }: WallTimeFieldProps) {
  const note = useId();
  const reading = readWallTime(value.text);
  const isInvalid = value.text !== '' && (reading === null || reading.kind === 'skipped');
  const text = useNote(value.text, reading);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Field label={label}>
        <Input
          ref={ref}
          type="datetime-local"
          value={value.text}
          max="9999-12-31T23:59"
          aria-invalid={isInvalid || undefined}
          aria-describedby={text === null ? undefined : note}
          onChange={({ target }) => change(retyped(target.value, value))}
        />
      </Field>
      {/* Always there, so that its text is announced when it comes. */}
      <p id={note} role="status" className={`text-13 empty:hidden ${isInvalid ? 'text-danger' : ''}`}>
        {text}
      </p>
      {reading?.kind === 'twice' && (
        <WhichOne question={note} value={value} reading={reading} change={change} />
      )}
    </div>
  );
}

/** What is to be said of the time; null: nothing. */
function useNote(text: string, reading: WallTimeReading | null): string | null {
  const { t } = useTranslation();
  const clock = useClock();
  if (text === '' || reading?.kind === 'once') return null;
  if (reading === null) return t('time.unreadable');
  const time = clock.wallTime(text);
  if (reading.kind === 'twice') return t('time.twice', { time });
  return t('time.skipped', { time, from: clock.wallTime(reading.from), to: clock.wallTime(reading.to) });
}

interface WhichOneProps {
  /** The id of the text that asks. */
  question: string;
  value: TypedTime;
  reading: WallTimeReading & { kind: 'twice' };
  change(value: TypedTime): void;
}

/** The first is chosen until somebody says otherwise: both are in sight, and so is what is chosen. */
function WhichOne({ question, value: { text, isSecond }, reading, change }: WhichOneProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const name = useId();
  const time = clock.wallTime(text);
  return (
    <div role="radiogroup" aria-labelledby={question} className="flex flex-col gap-1.5">
      {[false, true].map((second) => (
        <label
          key={String(second)}
          className="relative flex min-h-10 cursor-pointer flex-wrap items-center gap-x-2 rounded-md border border-line bg-raised px-3 py-1.5 text-14 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-tint has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:min-h-11 pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={name}
            checked={isSecond === second}
            onChange={() => change({ text, isSecond: second })}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {t(second ? 'time.second' : 'time.first', { time })}{' '}
          <span className="text-12 font-normal text-quiet">
            {clock.zone(second ? reading.second : reading.first)}
          </span>
        </label>
      ))}
    </div>
  );
}
