// What opens from a control is a part of the page of its own: its code is loaded after the first rows are painted, or
// when it is asked for before.
import {
  type ComponentType,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createListeners } from '../api/listeners.ts';
import { holdKeys, takeTypedText } from './key-hold.ts';

export interface Part<P> {
  loaded: ComponentType<P> | null;
  load(): Promise<ComponentType<P>>;
  /** Calls the listener once it is loaded. */
  onLoaded(listener: () => void): () => void;
}

export function part<P>(fetchCode: () => Promise<ComponentType<P>>): Part<P> {
  let loading: Promise<ComponentType<P>> | null = null;
  const arrivals = createListeners();
  const created: Part<P> = {
    loaded: null,
    load: () => {
      loading ??= fetchCode().then(
        (loaded) => {
          created.loaded = loaded;
          arrivals.notify();
          return loaded;
        },
        (failure: unknown) => {
          // The next press tries again.
          loading = null;
          throw failure;
        },
      );
      return loading;
    },
    onLoaded: arrivals.subscribe,
  };
  return created;
}

let isTimeToLoad = false;
const timeToLoad = createListeners();

/** What nobody has asked for yet delays nothing on screen any more. */
export function loadParts(): void {
  isTimeToLoad = true;
  timeToLoad.notify();
}

/** From when on a screen that is still being drawn is not waited for any longer. */
const MAX_DRAWING_MS = 500;

/** Resolves when `loadParts` was called, or when that takes too long to wait for. */
export function screenDrawn(): Promise<void> {
  if (isTimeToLoad) return Promise.resolve();
  return new Promise((resolve) => {
    timeToLoad.subscribe(resolve);
    setTimeout(resolve, MAX_DRAWING_MS);
  });
}

const failures = createListeners();
/** Hears of each part that was asked for and could not be loaded. */
export const onPartFailed = failures.subscribe;

interface ShownPart<P> {
  /** Null until it is loaded and was asked for. It stays rendered when it is closed. */
  Shown: ComponentType<P> | null;
  isOpen: boolean;
  setIsOpen(isOpen: boolean): void;
  /** Its content has the focus: the keys are its own. Returns what was typed while it was awaited. */
  arrived(): string;
}

export function usePart<P>(source: Part<P>): ShownPart<P> {
  const [isOpen, setIsOpen] = useState(false);
  const [Shown, show] = useState<ComponentType<P> | null>(null);
  const isAwaited = useRef(false);
  usePreload(source);

  const arrived = useCallback(() => {
    if (!isAwaited.current) return '';
    isAwaited.current = false;
    return takeTypedText();
  }, []);
  const isMissing = isOpen && Shown === null;
  useEffect(() => {
    if (!isMissing) return;
    let isWanted = true;
    source.load().then(
      (loaded) => {
        if (isWanted) show(() => loaded);
      },
      () => {
        if (!isWanted) return;
        setIsOpen(false);
        failures.notify();
      },
    );
    return () => {
      isWanted = false;
    };
  }, [isMissing, source]);
  useEffect(() => {
    // What was given up lets go of the keys.
    if (!isOpen) arrived();
  }, [isOpen, arrived]);
  useEffect(() => () => void arrived(), [arrived]);

  const change = useCallback(
    (next: boolean) => {
      setIsOpen(next);
      if (!next) return;
      if (source.loaded !== null) {
        const { loaded } = source;
        show(() => loaded);
        return;
      }
      isAwaited.current = true;
      holdKeys({ cancel: () => setIsOpen(false), isAwaited: () => isAwaited.current });
    },
    [source],
  );
  return { Shown, isOpen, setIsOpen: change, arrived };
}

/** Loads the code when the rest is painted. */
export function usePreload<P>(source: Part<P>): void {
  useEffect(() => {
    // Where it fails, the one who asks for it is told.
    const preload = () => void source.load().catch(() => undefined);
    if (isTimeToLoad) preload();
    else return timeToLoad.subscribe(preload);
  }, [source]);
}

interface LoadedPart<P> {
  /** Null until it is loaded, whoever asked for it. */
  Loaded: ComponentType<P> | null;
  hasFailed: boolean;
  retry(): void;
}

/** A part that is loaded because its place is on screen. */
export function useLoadedPart<P>(source: Part<P>): LoadedPart<P> {
  const Loaded = useSyncExternalStore(source.onLoaded, () => source.loaded);
  const [attempt, setAttempt] = useState({ number: 1, hasFailed: false });
  const { number, hasFailed } = attempt;
  useEffect(() => {
    let isWanted = true;
    source.load().catch((failure: unknown) => {
      console.warn('A part of the page could not be loaded.', failure);
      if (isWanted) setAttempt({ number, hasFailed: true });
    });
    return () => {
      isWanted = false;
    };
  }, [source, number]);
  return { Loaded, hasFailed, retry: () => setAttempt({ number: number + 1, hasFailed: false }) };
}

/** Until a part that could not be loaded is asked for again. */
export const RETRY_INTERVAL_MS = 3_000;

/** A part that is shown as soon as it can be loaded. Where it cannot be, that is reported once, and it is asked for again. */
export function useRetriedPart<P>(source: Part<P>): ComponentType<P> | null {
  const { Loaded, hasFailed, retry } = useLoadedPart(source);
  const isReported = useRef(false);
  const again = useEffectEvent(retry);
  useEffect(() => {
    if (!hasFailed) return;
    if (!isReported.current) failures.notify();
    isReported.current = true;
    const timer = setTimeout(() => again(), RETRY_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [hasFailed]);
  return Loaded;
}

/** For `lazy` of what stands in many places: reported and asked for again as in `useRetriedPart`, once for all of them. */
export async function untilLoaded<T>(fetchCode: () => Promise<T>): Promise<T> {
  for (let isReported = false; ; isReported = true) {
    try {
      return await fetchCode();
    } catch (failure) {
      console.warn('A part of the page could not be loaded.', failure);
      if (!isReported) failures.notify();
      await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS));
    }
  }
}

/** A part that was just opened: null until it is loaded. Where it cannot be, that is reported, and `close` is called. */
export function useOpenedPart<P>(source: Part<P>, close: () => void): ComponentType<P> | null {
  const { Loaded, hasFailed } = useLoadedPart(source);
  const giveUp = useEffectEvent(close);
  useEffect(() => {
    if (!hasFailed) return;
    failures.notify();
    giveUp();
  }, [hasFailed]);
  return Loaded;
}
