// The microphone beside a text field, and what is to be known while it listens.
import { Mic, Square } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { Dictation } from './dictation.ts';

interface DictationButtonProps {
  /** Of the field. */
  label: string;
  dictation: Dictation;
}

export function DictationButton({ label, dictation }: DictationButtonProps) {
  const { t } = useTranslation();
  const { listening, toggle } = dictation;
  return (
    <button
      type="button"
      aria-label={listening ? t('dictation.stop') : t('dictation.start', { field: label })}
      aria-pressed={listening}
      title={t('dictation.hint')}
      onClick={toggle}
      className="grid size-11 shrink-0 place-items-center rounded-md border border-line text-quiet hover:bg-sunken hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent"
    >
      {listening ? <Square aria-hidden className="size-4" /> : <Mic aria-hidden className="size-[18px]" />}
    </button>
  );
}

export function DictationNotes({ dictation }: { dictation: Dictation | null }) {
  const { t } = useTranslation();
  return (
    <>
      {dictation?.listening && <p className="text-12 text-quiet">{t('dictation.hint')}</p>}
      {dictation?.failure != null && (
        <p role="alert" className="text-12 text-danger">
          {t('dictation.failed', { reason: dictation.failure })}
        </p>
      )}
    </>
  );
}
