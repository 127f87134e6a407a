// The interviewer that asks the questions and writes the story: always shown, and a choice where a model is
// configured.
import type { Interviewer, Interviewers } from '../api/tech-stories.ts';
import { useTranslation } from '../i18n/use-translation.ts';

/** It is always there. */
export const BUILT_IN: Interviewer = { id: 'built-in', name: 'Built-in interviewer', model: null };

/** 'Gemini, gemini-2.5-flash' */
export function useNameOf(): (interviewer: Interviewer) => string {
  const { t } = useTranslation();
  return ({ id, name, model }) => {
    if (id === BUILT_IN.id) return t('story.builtIn');
    return model === null ? name : t('story.modelIs', { name, model });
  };
}

/** Shown while it works: its name, and a way to cancel. */
export function InterviewerLine({
  interviewer,
  end,
}: {
  /** Null: the interviewer is not known yet. */
  interviewer: Interviewer | null;
  /** Null: there is nothing to end any more. */
  end: (() => void) | null;
}) {
  const { t } = useTranslation();
  const nameOf = useNameOf();
  return (
    <div className="-my-1 flex items-center justify-between gap-3">
      <p className="min-w-0 text-13 text-quiet">
        {interviewer?.id === BUILT_IN.id ? t('story.builtInIs') : interviewer !== null && nameOf(interviewer)}
      </p>
      {end !== null && (
        <button
          type="button"
          onClick={end}
          title={t('story.keepHint')}
          className="-mr-2 h-8 shrink-0 rounded-md px-2 text-13 font-medium text-quiet hover:bg-sunken hover:text-ink max-md:h-11 pointer-coarse:h-11"
        >
          {t('story.end')}
        </button>
      )}
    </div>
  );
}

interface InterviewerChoiceProps {
  interviewers: Interviewers | null;
  chosen: Interviewer | null;
  choose(interviewer: Interviewer): void;
}

export function InterviewerChoice({ interviewers, chosen, choose }: InterviewerChoiceProps) {
  const { t } = useTranslation();
  const nameOf = useNameOf();
  if (interviewers === null) return null;
  const { configured } = interviewers;
  if (configured === null) {
    return <p className="text-13 text-quiet">{t('story.builtInIs')}</p>;
  }
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium">{t('story.interviewer')}</legend>
      <div className="grid grid-cols-2 gap-2.5 max-md:grid-cols-1">
        {[configured, interviewers.builtIn].map((one) => (
          <label
            key={one.id}
            className="flex min-h-12 items-start gap-2.5 rounded-lg border border-line px-3 py-2.5 has-checked:border-accent has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="interviewer"
              checked={one.id === chosen?.id}
              onChange={() => choose(one)}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0 text-13">
              <span className="block font-medium break-words">{nameOf(one)}</span>
              <span className="block text-12 text-quiet">
                {t(one.id === BUILT_IN.id ? 'story.builtInHint' : 'story.modelHint')}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
