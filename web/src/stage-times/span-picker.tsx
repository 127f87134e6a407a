// Which days the screen is about: some that are often asked for, or any.
import { useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { DayField } from '../ui/filter-field.tsx';
import { type Span, spanNames, spans, withFrom, withTo } from './totals.ts';

interface SpanPickerProps {
  span: Span;
  today: string;
  choose(span: Span): void;
}

export function SpanPicker({ span, today, choose }: SpanPickerProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <fieldset className="flex rounded-md border border-line-strong bg-raised max-md:w-full">
        <legend className="sr-only">{t('stageTimes.span.label')}</legend>
        {spanNames.map((name) => {
          const { from, to } = spans[name](today);
          return (
            <button
              key={name}
              type="button"
              aria-pressed={span.from === from && span.to === to}
              onClick={() => choose({ from, to })}
              className="h-8.5 flex-1 border-l border-line px-3 text-13 whitespace-nowrap first:rounded-l-md first:border-l-0 last:rounded-r-md hover:bg-sunken aria-pressed:bg-accent-tint aria-pressed:font-medium aria-pressed:text-accent max-md:h-11 max-md:px-1.5 pointer-coarse:h-11"
            >
              {t(`stageTimes.span.${name}`)}
            </button>
          );
        })}
      </fieldset>
      <SpanDay
        label={t('stageTimes.span.from')}
        day={span.from}
        max={today}
        choose={(day) => choose(withFrom(span, day))}
      />
      <SpanDay
        label={t('stageTimes.span.to')}
        day={span.to}
        max={today}
        choose={(day) => choose(withTo(span, day))}
      />
    </div>
  );
}

interface SpanDayProps {
  label: string;
  day: string;
  max: string;
  choose(day: string): void;
}

/** Before any shop had orders: a year of which not all digits are typed. */
const FIRST_DAY = '2000-01-01';

/** What is typed stays in it while it is no day yet. */
function SpanDay({ label, day, max, choose }: SpanDayProps) {
  const [typed, type] = useState(day);
  const [known, note] = useState(day);
  if (known !== day) {
    // Another span was chosen.
    note(day);
    type(day);
  }
  return (
    <DayField
      label={label}
      day={typed}
      max={max}
      choose={(next) => {
        type(next);
        if (next >= FIRST_DAY) choose(next);
      }}
    />
  );
}
