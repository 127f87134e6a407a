// Loads a list again after socket messages that are about it, or once the server is heard again.
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { ApiError } from '../api/http.ts';
import { onServerTime } from '../api/server-time.ts';
import { onSocketMessage, type SocketMessages } from '../api/socket.ts';

/** Many messages come together, of an import for instance: the list is loaded again this long (ms) after the first. */
const DELAY_MS = 2_000;

/** `isAbout`: whether the message is about the list; null stands for messages that were missed. */
export function useReloadAfter<Name extends keyof SocketMessages>(
  name: Name,
  queryKey: QueryKey,
  isAbout: (message: SocketMessages[Name] | null) => boolean,
): void {
  const client = useQueryClient();
  const isAboutNow = useEffectEvent(isAbout);
  const reload = useEffectEvent(() => void client.invalidateQueries({ queryKey }));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = onSocketMessage(name, (message) => {
      if (!isAboutNow(message)) return;
      timer ??= setTimeout(() => {
        timer = null;
        reload();
      }, DELAY_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [name]);
}

interface PossiblyOld {
  /** `savedAt` null: the server's answer. */
  data: { savedAt: number | null } | null | undefined;
  error: unknown;
}

/** What this device had saved, or had not, gives way to the server's answer as soon as the server is heard. */
export function useReloadWhenHeard(queryKey: QueryKey, { data, error }: PossiblyOld): void {
  const client = useQueryClient();
  const isNotKept = error instanceof ApiError && error.code === 'not-kept';
  const isWanted = isNotKept || data?.savedAt != null;
  // What is on its way is not asked for again.
  const reload = useEffectEvent(() => void client.refetchQueries({ queryKey }, { cancelRefetch: false }));
  useEffect(() => {
    if (isWanted) return onServerTime(() => reload());
  }, [isWanted]);
}
