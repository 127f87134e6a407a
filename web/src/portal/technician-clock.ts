// A technician's clock in the portal: the server's last state with the unanswered taps applied, whether they are
// being sent or wait for a connection.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createAtom, useSelector } from '@tanstack/react-store';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type ClockAction,
  type ClockTap,
  type ClockUndo,
  clockPath,
  fetchClock,
  type TechnicianClock,
} from '../api/clock.ts';
import { isServerUnresponsive, serverNow } from '../api/server-time.ts';
import { onSocketMessage } from '../api/socket.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { i18n } from '../i18n/i18n.ts';
import { type Mutation, onLateAnswer, QUEUED, submit, useOutbox } from '../offline/outbox.ts';
import { loadScreen, saveScreen, useSavedGeneration } from '../offline/saved-screens.ts';
import { showToast } from '../ui/toaster.ts';
import { applyTaps, isDayOver } from './clock-state.ts';
import { clockMutation, clockUndoMutation, isClockMutation } from './mutations.ts';
import { addRefusedChange } from './refused-changes.ts';

/** How often it is seen whether the shop's day is another (ms). A device that slept sees it when it wakes. */
const NEW_DAY_INTERVAL_MS = 20_000;

interface TappedJob {
  roNumber: number;
  jobNumber: number;
}

export type Tap = (action: ClockAction, job?: TappedJob) => void;

const screenName = (technician: number) => `clock-${technician}`;

function clockOf(technician: number) {
  return queryOptions({
    queryKey: ['clock', technician],
    queryFn: async ({ signal }) => {
      const clock = await fetchClock(technician, signal);
      saveScreen(screenName(technician), clock);
      return clock;
    },
    // A socket message says when the clock changed.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface ClockWithTaps {
  /** Null until it is loaded. */
  clock: TechnicianClock | null;
  /** It is the last one that this device saved: the server has not answered yet. */
  isSaved: boolean;
  /** The server is asked for it. */
  isLoading: boolean;
  tap: Tap;
  /** Undoes the last tap. */
  undo(): void;
}

export function useTechnicianClock(technician: number): ClockWithTaps {
  const { data: serverClock, isFetching } = useQuery(clockOf(technician));
  const { data: savedClock } = useQuery({
    queryKey: ['saved', screenName(technician), useSavedGeneration()],
    queryFn: async () => completed(await loadScreen<TechnicianClock>(screenName(technician))),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const unanswered = useUnansweredTaps(technician);
  const base = serverClock ?? savedClock ?? null;
  const [beforeLast, setBeforeLast] = useState<TechnicianClock | null>(null);
  const clock = useMemo(
    () => (base === null ? null : applyTaps(base, unanswered, beforeLast)),
    [base, unanswered, beforeLast],
  );
  const latest = useRef(clock);
  useEffect(() => {
    latest.current = clock;
  });
  useClockMessages(technician);
  useLateAnswers(technician, unanswered.length > 0);
  useNewDay(technician, serverClock);

  const send = useSend(technician);
  const lastTap = useRef<string | null>(null);
  const tap = useCallback<Tap>(
    (action, job) => {
      setBeforeLast(latest.current);
      const mutation = clockMutation(technician, { action, ...job, at: new Date(serverNow()).toISOString() });
      lastTap.current = mutation.key;
      void send(mutation);
    },
    [send, technician],
  );
  const undo = useCallback(
    () => void send(clockUndoMutation(technician, lastTap.current)),
    [send, technician],
  );
  return { clock, isSaved: serverClock === undefined, isLoading: isFetching, tap, undo };
}

function useClockMessages(technician: number): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onSocketMessage('CLOCK_CHANGED', (message) => {
        if (message !== null && message.technicianId !== technician) return;
        if (message !== null) {
          client.setQueryData(clockOf(technician).queryKey, (before) =>
            before === undefined ? before : { ...before, running: message.running },
          );
        }
        void client.invalidateQueries({ queryKey: clockOf(technician).queryKey });
      }),
    [client, technician],
  );
}

/** The clock as a queued tap left it, as soon as it was sent. `waits`: there are some. */
function useLateAnswers(technician: number, waits: boolean): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onLateAnswer(({ path }, answer) => {
        if (path === clockPath(technician) && isClockAnswer(answer))
          keepClock(client, technician, answer.result);
      }),
    [client, technician],
  );
  // Another tab may have sent them, which gets the answers.
  useEffect(() => {
    if (waits) return () => void client.invalidateQueries({ queryKey: clockOf(technician).queryKey });
  }, [client, technician, waits]);
}

/** The figures of a day and of a week are the server's; nobody may have tapped since the midnight. */
function useNewDay(technician: number, clock: TechnicianClock | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (clock === undefined) return;
    const timer = setInterval(() => {
      if (!isDayOver(clock, serverNow()) || isServerUnresponsive()) return;
      // What is on its way is not asked for again.
      const { queryKey } = clockOf(technician);
      void client.refetchQueries({ queryKey }, { cancelRefetch: false });
    }, NEW_DAY_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [client, technician, clock]);
}

function keepClock(client: QueryClient, technician: number, clock: TechnicianClock): void {
  saveScreen(screenName(technician), clock);
  client.setQueryData(clockOf(technician).queryKey, clock);
}

function useSend(technician: number): (mutation: Mutation) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (mutation) => {
      inFlight.set((before) => [...before, mutation]);
      try {
        const answer = await submit(mutation);
        if (answer !== QUEUED && isClockAnswer(answer)) keepClock(client, technician, answer.result);
      } catch (failure) {
        addRefusedChange(mutation, failure);
        // In place of the one that said that the tap was made.
        showToast({
          tone: 'destructive',
          text: errorMessage(failure, i18n.t),
          request: failedRequest(failure, i18n.t),
        });
        void client.invalidateQueries({ queryKey: clockOf(technician).queryKey });
      } finally {
        inFlight.set((before) => before.filter(({ key }) => key !== mutation.key));
      }
    },
    [client, technician],
  );
}

/** A clock that an earlier version saved has not all of it. */
function completed(saved: TechnicianClock | undefined): TechnicianClock | null {
  if (saved === undefined) return null;
  const { today, week } = saved;
  return {
    ...{ clockedJobs: [], stoppedByClosing: null },
    ...saved,
    today: { ...{ soldHours: 0 }, ...today },
    week: { ...{ soldHours: 0 }, ...week },
  };
}

function isClockAnswer(answer: unknown): answer is { result: TechnicianClock } {
  return typeof answer === 'object' && answer !== null && 'result' in answer;
}

/** Taps whose answer this page waits for. */
const inFlight = createAtom<readonly Mutation[]>([]);

function useUnansweredTaps(technician: number): readonly (ClockTap | ClockUndo)[] {
  const inFlightMutations = useSelector(inFlight);
  const { waiting } = useOutbox();
  return useMemo(() => {
    const path = clockPath(technician);
    const mutations = [
      ...waiting,
      ...inFlightMutations.filter(({ key }) => waiting.every((one) => one.key !== key)),
    ];
    return mutations.flatMap(({ path: mutationPath, body }) =>
      mutationPath === path && isClockMutation(body) ? [body] : [],
    );
  }, [technician, inFlightMutations, waiting]);
}
