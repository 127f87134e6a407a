// A text field that can be dictated into, with the draft that is typed in it.
import { useId } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { appendDictation, useDictation } from '../tech-story/dictation.ts';
import { DictationButton, DictationNotes } from '../tech-story/dictation-button.tsx';
import type { Draft } from '../tech-story/drafts.ts';
import { Button } from '../ui/button.tsx';

interface DictatedFieldProps {
  name: string;
  label: string;
  server: string;
  draft: Draft | undefined;
  /** The outbox sends it when there is a connection. */
  waits: boolean;
  write(draft: Draft | null): void;
}

export function DictatedField({ name, label, server, draft, waits, write }: DictatedFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const text = draft?.text ?? server;
  // What is the reader's own of an earlier moment is no change of somebody's.
  const base = draft === undefined || server === draft.saved ? server : draft.base;
  const set = (next: string) => write(next === server ? null : { ...draft, text: next, base });
  const dictation = useDictation((spokenText) => set(appendDictation(text, spokenText)));
  const isOvertaken = draft !== undefined && server !== base && server !== text;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-end justify-between gap-3">
        <label htmlFor={id} className="text-12 font-medium text-quiet">
          {name}
          <span className="sr-only"> · {label}</span>
        </label>
        {waits && <span className="text-12 text-stale">{t('portal.waits')}</span>}
      </div>
      <div className="flex items-start gap-2">
        <textarea
          id={id}
          value={text}
          onChange={(event) => set(event.target.value)}
          rows={2}
          className="field-sizing-content max-h-72 min-h-17 w-full min-w-0 rounded-md border border-line-strong bg-raised px-2.5 py-2 text-14 max-md:text-16"
        />
        {dictation !== null && <DictationButton label={label} dictation={dictation} />}
      </div>
      <DictationNotes dictation={dictation} />
      {isOvertaken && <Overtaken server={server} take={() => write(null)} />}
    </div>
  );
}

/** Somebody has written something else since the draft was begun. */
function Overtaken({ server, take }: { server: string; take: () => void }) {
  const { t } = useTranslation();
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-13 text-stale">
      <span className="min-w-0 break-words">
        {server.trim() === ''
          ? t('portal.details.meanwhileEmptied')
          : t('portal.details.meanwhile', { text: server })}
      </span>
      <Button onClick={take} className="h-8">
        {t('portal.details.theirs')}
      </Button>
    </p>
  );
}
