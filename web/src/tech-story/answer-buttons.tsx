// N/A, No and Yes, for a mouse, a thumb, or one key each; and the value that a Yes can be given.
import { useLayoutEffect, useRef, useState } from 'react';
import type { Answer, Question } from '../api/tech-stories.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { answerLabel } from './answer-label.ts';
import { AnswerValue } from './answer-value.tsx';

const answers: readonly Answer[] = ['N/A', 'No', 'Yes'];
/** These work in every language, beside the first letters of its own words. */
const KEYS: Readonly<Record<string, Answer>> = { a: 'N/A', n: 'No', y: 'Yes' };

interface AnswerButtonsProps {
  question: Question;
  /** `value`: null unless one was given with a Yes. */
  answer(answer: Answer, value: string | null): void;
}

/** Mounted for one question. */
export function AnswerButtons({ question, answer }: AnswerButtonsProps) {
  const { number, field } = question;
  const [value, write] = useState('');
  /** Yes was pressed without a value once: pressed again, it is sent alone. */
  const [isMissing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const give = (chosen: Answer) => {
    const given = value.trim();
    if (chosen === 'Yes' && field !== 'none' && given === '' && !isMissing) {
      setMissing(true);
      input.current?.focus();
    } else {
      answer(chosen, chosen === 'Yes' && given !== '' ? given : null);
    }
  };
  useAnswerKeys(give);
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-2.5">
      {field !== 'none' && (
        <AnswerValue
          field={field}
          value={value}
          write={(written) => {
            write(written);
            setMissing(false);
          }}
          isMissing={isMissing}
          submit={() => give('Yes')}
          input={input}
        />
      )}
      <Buttons number={number} give={give} />
    </div>
  );
}

function useAnswerKeys(give: (answer: Answer) => void) {
  const { t } = useTranslation();
  const latest = useRef<(key: string) => boolean>(() => false);
  // Layout effects: the keys answer from the moment the buttons are seen.
  useLayoutEffect(() => {
    latest.current = (key) => {
      const own = answers.find((one) => t(`story.answerKey.${answerLabel[one]}`).toLowerCase() === key);
      const answerOfKey = own ?? KEYS[key];
      if (answerOfKey !== undefined) give(answerOfKey);
      return answerOfKey !== undefined;
    };
  });
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
      if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) return;
      if (latest.current(event.key.toLowerCase())) event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}

function Buttons({ number, give }: { number: number; give(answer: Answer): void }) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex min-w-0 gap-2.5">
      <legend className="sr-only">{t('story.answerTo', { number })}</legend>
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
