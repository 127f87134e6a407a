// A finished story before it is saved: its unsupported facts are marked, to be confirmed or removed.
import { Check, Pencil } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { FinishedStory, JobRef, UnsupportedFact } from '../api/tech-stories.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { RequestReference } from '../ui/request-reference.tsx';
import { closeOnEscape } from '../ui/sheet.tsx';
import { ClaimFields } from './claim-fields.tsx';
import { useEditedStory } from './interview-drafts.ts';
import { StoryProse } from './story-prose.tsx';
import { distinctFacts, isRemoved } from './unsupported-facts.ts';

export const REVIEW_FORM = 'story-review';

interface ReviewProps {
  at: JobRef;
  story: FinishedStory;
  /** Why saving failed, if not because of unsupported facts. */
  problem: unknown;
  busy: boolean;
  save(text: string, confirmed: string[]): void;
}

export function StoryReview({ at, story, problem, busy, save }: ReviewProps) {
  const { t } = useTranslation();
  const { text, write } = useEditedStory(at, story.story);
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const [isSubmitted, setSubmitted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'start' });
  }, []);

  const alert = useRef<HTMLParagraphElement>(null);
  // The button stands below a text that may be longer than the screen, and the reason below that.
  useEffect(() => {
    if (problem !== null) alert.current?.scrollIntoView({ block: 'nearest' });
  }, [problem]);

  const facts = distinctFacts(story.doubts);
  const present = facts.filter((fact) => !isRemoved(text, fact));
  const left = present.filter((fact) => fact.kind === 'missing' || !confirmed.has(fact.text));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setSubmitted(true);
    const first = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    // What can be confirmed comes first; what is missing has to be written.
    if (left.length > 0) (first('[aria-pressed="false"]') ?? first('[data-edit]'))?.focus();
    else
      save(
        text,
        present.map((fact) => fact.text),
      );
  };
  return (
    <form
      id={REVIEW_FORM}
      ref={form}
      noValidate
      onSubmit={submit}
      className="flex scroll-mt-16 flex-col gap-3"
    >
      <ReviewHead busy={busy} hasFacts={facts.length > 0} />
      <ReviewedText text={text} write={write} facts={facts} confirmed={confirmed} busy={busy} />
      <ClaimFields claim={story.claim} />
      {/* Always there, so that its text is announced when it comes. */}
      <p
        ref={alert}
        role="alert"
        className={`scroll-mb-10 rounded-lg px-3.5 py-2.5 text-13 font-medium empty:hidden ${left.length > 0 ? 'bg-stale-tint text-stale' : 'bg-danger-tint text-danger'}`}
      >
        {left.length > 0
          ? isSubmitted && t('story.review.left', { count: left.length })
          : problem !== null && `${t('story.review.saveFailed')}. ${errorMessage(problem, t)}`}
      </p>
      {left.length === 0 && <RequestReference request={failedRequest(problem, t)} />}
      {facts.length > 0 && (
        <UnsupportedFacts facts={facts} text={text} confirmed={confirmed} confirm={setConfirmed} />
      )}
    </form>
  );
}

function ReviewHead({ busy, hasFacts }: { busy: boolean; hasFacts: boolean }) {
  const { t } = useTranslation();
  return (
    <div>
      <h3 className="text-14 font-semibold">{t(busy ? 'story.review.text' : 'story.review.title')}</h3>
      {!busy && (
        <p className="mt-0.5 text-13 text-quiet">
          {t(hasFacts ? 'story.review.hint' : 'story.review.ready')}
        </p>
      )}
    </div>
  );
}

interface ReviewedTextProps {
  text: string;
  write(text: string): void;
  facts: readonly UnsupportedFact[];
  confirmed: ReadonlySet<string>;
  busy: boolean;
}

function ReviewedText({ text, write, facts, confirmed, busy }: ReviewedTextProps) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      {editing ? (
        <textarea
          aria-label={t('story.review.text')}
          value={text}
          readOnly={busy}
          {...closeOnEscape(() => setEditing(false))}
          onChange={(event) => write(event.target.value)}
          // biome-ignore lint/a11y/noAutofocus: it was just asked for
          autoFocus
          className="field-sizing-content block max-h-[60dvh] min-h-40 w-full bg-raised px-3.5 py-3 text-14 outline-offset-[-2px] max-md:text-16"
        />
      ) : (
        <p className="px-3.5 py-3 text-14 break-words whitespace-pre-wrap">
          <StoryProse text={text} facts={facts} confirmed={confirmed} />
        </p>
      )}
      <div className="flex justify-end border-t border-line bg-sunken px-2 py-1.5">
        <button
          type="button"
          data-edit
          onClick={() => setEditing(!editing)}
          disabled={busy}
          className="inline-flex h-8 items-center gap-1.5 rounded-md px-2.5 text-13 font-medium text-accent enabled:hover:bg-accent-tint disabled:opacity-60 max-md:h-11 pointer-coarse:h-11"
        >
          {editing ? <Check aria-hidden className="size-4" /> : <Pencil aria-hidden className="size-3.5" />}
          {t(editing ? 'story.review.editDone' : 'story.review.edit')}
        </button>
      </div>
    </div>
  );
}

interface UnsupportedFactsProps {
  facts: readonly UnsupportedFact[];
  text: string;
  confirmed: ReadonlySet<string>;
  confirm(confirmed: ReadonlySet<string>): void;
}

function UnsupportedFacts({ facts, text, confirmed, confirm }: UnsupportedFactsProps) {
  const { t } = useTranslation();
  const id = useId();
  const toggle = (fact: UnsupportedFact) => {
    const after = new Set(confirmed);
    if (!after.delete(fact.text)) after.add(fact.text);
    confirm(after);
  };
  return (
    <section aria-labelledby={id}>
      <h4 id={id} className="mb-1.5 text-13 font-medium">
        {t('story.review.doubts')}
      </h4>
      <ul className="flex flex-col overflow-hidden rounded-lg border border-line">
        {facts.map((fact) => (
          <UnsupportedFactRow
            key={fact.text}
            fact={fact}
            removed={isRemoved(text, fact)}
            confirmed={confirmed.has(fact.text)}
            toggle={() => toggle(fact)}
          />
        ))}
      </ul>
    </section>
  );
}

interface UnsupportedFactRowProps {
  fact: UnsupportedFact;
  removed: boolean;
  confirmed: boolean;
  toggle(): void;
}

function UnsupportedFactRow({ fact, removed, confirmed, toggle }: UnsupportedFactRowProps) {
  const { t } = useTranslation();
  // What is missing cannot be right: it has to be written.
  const mustBeWritten = fact.kind === 'missing';
  return (
    <li className="flex min-h-12 items-center gap-3 border-line py-1.5 pr-2 pl-3.5 text-13 not-first:border-t">
      <span className="min-w-0 flex-1">
        <span className="text-quiet">{t(`story.review.kind.${fact.kind}`)}</span>{' '}
        <span className={`font-mono font-medium break-all ${removed ? 'text-quiet line-through' : ''}`}>
          {fact.text}
        </span>
      </span>
      {removed || mustBeWritten ? (
        <span className="shrink-0 pr-2 text-12 text-quiet">
          {t(removed ? 'story.review.gone' : 'story.review.toWrite')}
        </span>
      ) : (
        <button
          type="button"
          aria-pressed={confirmed}
          onClick={toggle}
          className="inline-flex h-9 shrink-0 items-center gap-1.5 rounded-md border border-line-strong px-3 text-13 font-medium hover:border-accent hover:text-accent aria-pressed:border-transparent aria-pressed:bg-used-tint aria-pressed:text-used pointer-coarse:h-11"
        >
          {confirmed && <Check aria-hidden className="size-4" />}
          {t('story.review.right')}
          <span className="sr-only">: {fact.text}</span>
        </button>
      )}
    </li>
  );
}
