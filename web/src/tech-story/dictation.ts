// Dictation in browsers that support speech recognition. The maker's servers often do it, and the page says so.
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';

/** The used part of the browser's speech recognition API. */
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: RecognitionEvent) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}
interface RecognitionEvent {
  resultIndex: number;
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>;
}
type RecognitionClass = new () => Recognition;

function recognition(): RecognitionClass | null {
  const candidate: unknown =
    Reflect.get(window, 'SpeechRecognition') ?? Reflect.get(window, 'webkitSpeechRecognition');
  return isClass(candidate) ? candidate : null;
}

function isClass(candidate: unknown): candidate is RecognitionClass {
  return typeof candidate === 'function';
}

export interface Dictation {
  listening: boolean;
  /** Why it ended unexpectedly. */
  failure: string | null;
  toggle(): void;
}

/** Passes recognised words to `hear` once they are final. Null where the browser lacks dictation. */
export function useDictation(onText: (spokenText: string) => void): Dictation | null {
  const { language } = useTranslation();
  const [listening, setListening] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const current = useRef<Recognition>(null);
  const latest = useRef(onText);
  useEffect(() => {
    latest.current = onText;
  });
  useEffect(() => () => current.current?.abort(), []);

  const toggle = useCallback(() => {
    if (current.current !== null) {
      current.current.stop();
      return;
    }
    const Class = recognition();
    if (Class === null) return;
    const ear = new Class();
    ear.lang = language;
    ear.continuous = true;
    ear.interimResults = false;
    ear.onresult = ({ resultIndex, results }) => {
      const texts = Array.from(results)
        .slice(resultIndex)
        .flatMap((result) => (result.isFinal ? [(result[0]?.transcript ?? '').trim()] : []));
      // At once: whoever appends them one after another would append each to the same text.
      if (texts.length > 0) latest.current(texts.join(' ').trim());
    };
    ear.onerror = ({ error }) => {
      if (error !== 'aborted' && error !== 'no-speech') setFailure(error);
    };
    ear.onend = () => {
      current.current = null;
      setListening(false);
    };
    current.current = ear;
    setFailure(null);
    setListening(true);
    ear.start();
  }, [language]);

  return recognition() === null ? null : { listening, failure, toggle };
}

/** Appends with a space between. */
export function appendDictation(text: string, spokenText: string): string {
  if (spokenText === '') return text;
  return text === '' || /\s$/.test(text) ? text + spokenText : `${text} ${spokenText}`;
}
