// The field of a question that can be given a value with a Yes: codes, a measured value, a part.
import { type RefObject, useId } from 'react';
import type { Answer, AnswerField } from '../api/tech-stories.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { answerLabel } from './answer-label.ts';
import type { Objection } from './answer-objection.ts';
import { UNITS, type ValueField } from './value-units.ts';

const MAX_LENGTH = 500;
const NUMBERS: ReadonlySet<AnswerField> = new Set(['measurement', 'mileage']);

interface AnswerValueProps {
  field: ValueField;
  text: string;
  write(text: string): void;
  /** Null: none, or the field's text names it. */
  unit: string | null;
  chooseUnit(unit: string): void;
  /** Why the answer that was pressed was not sent. */
  objection: { answer: Answer; kind: Objection } | null;
  /** Enter: the answer is Yes. */
  submit(): void;
  input: RefObject<HTMLInputElement | null>;
}

export function AnswerValue(props: AnswerValueProps) {
  const { field, text, write, unit, chooseUnit, objection, submit, input } = props;
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
        value={text}
        maxLength={MAX_LENGTH}
        inputMode={NUMBERS.has(field) ? 'decimal' : 'text'}
        autoComplete="off"
        autoCapitalize={field === 'codes' || field === 'part-number' ? 'characters' : 'sentences'}
        spellCheck={field === 'text'}
        aria-invalid={objection !== null && objection.kind !== 'unsent'}
        aria-describedby={objection === null ? undefined : `${id}objection`}
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
        chosen={unit}
        choose={(one) => {
          chooseUnit(one);
          input.current?.focus();
        }}
      />
      {objection !== null && (
        <p id={`${id}objection`} role="alert" className="text-12 text-stale">
          {t(`story.field.${objection.kind}`, {
            answer: t(`story.answer.${answerLabel[objection.answer]}`),
          })}
        </p>
      )}
    </div>
  );
}

interface UnitButtonsProps {
  units: readonly string[];
  chosen: string | null;
  choose(unit: string): void;
}

function UnitButtons({ units, chosen, choose }: UnitButtonsProps) {
  const { t } = useTranslation();
  if (units.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{t('story.field.units')}</legend>
      {units.map((unit) => (
        <button
          key={unit}
          type="button"
          aria-pressed={unit === chosen}
          onClick={() => choose(unit)}
          className="h-8 min-w-10 rounded-md border border-line px-2.5 text-13 text-quiet hover:border-accent hover:text-accent aria-pressed:border-accent aria-pressed:bg-accent-tint aria-pressed:font-medium aria-pressed:text-accent max-md:h-11 max-md:min-w-11 pointer-coarse:h-11 pointer-coarse:min-w-11"
        >
          {unit}
        </button>
      ))}
    </fieldset>
  );
}
