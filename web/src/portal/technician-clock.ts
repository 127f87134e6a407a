// A technician's clock in the portal: the server's last state with the unanswered taps applied, whether they are
// being sent or wait for a connection.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createAtom, useSelector } from '@tanstack/react-store';
import { useCallback, useEffect, useMemo } from 'react';
import {
  type ClockAction,
  type ClockTap,
  clockPath,
  fetchClock,
  type TechnicianClock,
} from '../api/clock.ts';
import { serverNow } from '../api/server-time.ts';
import { onSocketMessage } from '../api/socket.ts';
import { type Mutation, QUEUED, submit, useOutbox } from '../offline/outbox.ts';
import { loadScreen, saveScreen, useSavedGeneration } from '../offline/saved-screens.ts';
import { applyTap } from './clock-state.ts';
import { clockMutation, isClockMutation } from './mutations.ts';
import { addRefusedChange } from './refused-changes.ts';

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

/** Null until the clock is loaded. */
export function useTechnicianClock(technician: number): { clock: TechnicianClock | null; tap: Tap } {
  const client = useQueryClient();
  const { data: serverClock } = useQuery(clockOf(technician));
  const { data: savedClock } = useQuery({
    queryKey: ['saved', screenName(technician), useSavedGeneration()],
    queryFn: async () => (await loadScreen<TechnicianClock>(screenName(technician))) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const unanswered = useUnansweredTaps(technician);
  const base = serverClock ?? savedClock ?? null;
  const clock = useMemo(() => (base === null ? null : unanswered.reduce(applyTap, base)), [base, unanswered]);

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

  // Nobody receives the answers to queued taps, so the clock is loaded again once they are sent.
  const waits = unanswered.length > 0;
  useEffect(() => {
    if (waits) return () => void client.invalidateQueries({ queryKey: clockOf(technician).queryKey });
  }, [client, technician, waits]);

  const tap = useCallback<Tap>(
    async (action, job) => {
      const mutation = clockMutation(technician, { action, ...job, at: new Date(serverNow()).toISOString() });
      inFlight.set((before) => [...before, mutation]);
      try {
        const answer = await submit(mutation);
        if (answer !== QUEUED && isClockAnswer(answer)) {
          saveScreen(screenName(technician), answer.result);
          client.setQueryData(clockOf(technician).queryKey, answer.result);
        }
      } catch (failure) {
        addRefusedChange(mutation, failure);
        void client.invalidateQueries({ queryKey: clockOf(technician).queryKey });
      } finally {
        inFlight.set((before) => before.filter(({ key }) => key !== mutation.key));
      }
    },
    [client, technician],
  );
  return { clock, tap };
}

function isClockAnswer(answer: unknown): answer is { result: TechnicianClock } {
  return typeof answer === 'object' && answer !== null && 'result' in answer;
}

/** Taps whose answer this page waits for. */
const inFlight = createAtom<readonly Mutation[]>([]);

function useUnansweredTaps(technician: number): readonly ClockTap[] {
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
