// Back, N/A, No and Yes, for a mouse, a thumb, or one key each; and the value that a Yes can be given.
import { ArrowLeft } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Answer, Question } from '../api/tech-stories.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { answerLabel } from './answer-label.ts';
import { type Objection, objectionTo } from './answer-objection.ts';
import { AnswerValue } from './answer-value.tsx';
import { withoutUnit, withUnit } from './value-units.ts';

const answers: readonly Answer[] = ['N/A', 'No', 'Yes'];
/** These work in every language, beside the first letters of its own words. */
const KEYS: Readonly<Record<string, Answer>> = { a: 'N/A', n: 'No', y: 'Yes' };
const BACK_KEY = 'Backspace';

interface AnswerButtonsProps {
  question: Question;
  /** `value`: null unless one was given with a Yes. */
  answer(answer: Answer, value: string | null): void;
  /** Null: there is no answer that can be taken back. */
  back: (() => void) | null;
}

/** Mounted for one question. */
export function AnswerButtons({ question, answer, back }: AnswerButtonsProps) {
  const { t } = useTranslation();
  const { number, field } = question;
  const [text, setText] = useState('');
  const [unit, setUnit] = useState<string | null>(null);
  /** Pressed again, the same answer is sent as it is. */
  const [objection, setObjection] = useState<{ answer: Answer; kind: Objection } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const value = withUnit(text, unit);
  const write = (written: string) => {
    setText(written);
    setObjection(null);
  };
  const give = (chosen: Answer) => {
    const kind = objectionTo(chosen, field, value);
    const isRepeated = objection?.answer === chosen && objection.kind === kind;
    if (kind === null || (isRepeated && kind !== 'notMileage')) {
      answer(chosen, chosen === 'Yes' && value !== '' ? value : null);
      return;
    }
    setObjection({ answer: chosen, kind });
    // Not where the key that was pressed is pressed once more: in the field it would be a letter.
    if (kind !== 'unsent') input.current?.focus();
  };
  useAnswerKeys(give, back);
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-2.5">
      {field !== 'none' && (
        <AnswerValue
          field={field}
          text={text}
          write={write}
          unit={value === text.trim() && value !== '' ? null : unit}
          chooseUnit={(chosen) => {
            setUnit(chosen);
            write(withoutUnit(text));
          }}
          objection={objection}
          submit={() => give('Yes')}
          input={input}
        />
      )}
      {value !== '' && (
        <Button variant="primary" onClick={() => give('Yes')} className="h-12 min-w-0">
          <span className="truncate">{t('story.field.save', { value })}</span>
        </Button>
      )}
      <Buttons number={number} give={give} back={back} />
    </div>
  );
}

function useAnswerKeys(give: (answer: Answer) => void, back: (() => void) | null) {
  const { t } = useTranslation();
  const latest = useRef<(key: string) => boolean>(() => false);
  // Layout effects: the keys answer from the moment the buttons are seen.
  useLayoutEffect(() => {
    latest.current = (key) => {
      if (key === BACK_KEY) {
        back?.();
        return back !== null;
      }
      const letter = key.toLowerCase();
      const own = answers.find((one) => t(`story.answerKey.${answerLabel[one]}`).toLowerCase() === letter);
      const answerOfKey = own ?? KEYS[letter];
      if (answerOfKey !== undefined) give(answerOfKey);
      return answerOfKey !== undefined;
    };
  });
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
      if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) return;
      if (latest.current(event.key)) event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}

interface ButtonsProps {
  number: number;
  give(answer: Answer): void;
  back: (() => void) | null;
}

function Buttons({ number, give, back }: ButtonsProps) {
  const { t } = useTranslation();
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    // The button that was pressed is gone: whoever goes by keys goes on here.
    if (document.activeElement?.contains(group.current)) group.current?.focus({ preventScroll: true });
  }, []);
  return (
    <fieldset ref={group} tabIndex={-1} className="flex min-w-0 gap-2.5 outline-none">
      <legend className="sr-only">{t('story.answerTo', { number })}</legend>
      {back !== null && (
        <BackButton number={number - 1} back={back} shortcut={BACK_KEY} className="-ml-2 h-12" />
      )}
      {answers.map((one) => (
        <button
          key={one}
          type="button"
          onClick={() => give(one)}
          aria-keyshortcuts={t(`story.answerKey.${answerLabel[one]}`)}
          className="flex h-12 min-w-0 flex-1 items-center justify-center gap-2.5 rounded-md border border-line-strong bg-raised text-14 font-semibold hover:border-accent hover:bg-accent-tint hover:text-accent"
        >
          {t(`story.answer.${answerLabel[one]}`)}
          <kbd
            aria-hidden
            className="grid size-5 place-items-center rounded border border-line bg-sunken font-sans text-12 font-normal text-quiet pointer-coarse:hidden"
          >
            {t(`story.answerKey.${answerLabel[one]}`)}
          </kbd>
        </button>
      ))}
    </fieldset>
  );
}

interface BackButtonProps {
  /** Of the question that is asked again. */
  number: number;
  back(): void;
  shortcut?: string;
  className: string;
}

export function BackButton({ number, back, shortcut, className }: BackButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      onClick={back}
      aria-keyshortcuts={shortcut}
      aria-label={t('story.backTo', { number })}
      title={t('story.backTo', { number })}
      className={`flex shrink-0 items-center justify-center gap-1.5 rounded-md px-2 text-14 text-quiet hover:bg-sunken hover:text-ink ${className}`}
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t('story.back')}
    </button>
  );
}
