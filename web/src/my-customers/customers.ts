// The customers whom an advisor is to call: asked for anew when orders or clocks change, and each minute.
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type CustomerToCall, fetchCustomersToCall, type ReasonToCall } from '../api/customer-calls.ts';
import { onSocketMessage } from '../api/socket.ts';
import { i18n } from '../i18n/i18n.ts';
import { type Changes, useChanges } from '../repair-order/change-execution.ts';
import { showToast } from '../ui/toaster.ts';

/** Changes that come together are one reason to ask (ms). */
const MIN_INTERVAL_MS = 1_000;
/** Time passes, too (ms). */
const MAX_AGE_MS = 60_000;
/** Attempts against an order that others keep changing in other fields. */
const MAX_ATTEMPTS = 3;

const queryKey = ['customers-to-call'] as const;

/** `advisor` null: whoever is called as the user is. */
export function customersOf(advisor: string | null) {
  return queryOptions({
    queryKey: [...queryKey, advisor] as const,
    queryFn: ({ signal }) => fetchCustomersToCall(advisor, signal),
    refetchInterval: MAX_AGE_MS,
  });
}

export function useLiveCustomers(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const ask = () => {
      timer ??= setTimeout(() => {
        timer = null;
        void client.invalidateQueries({ queryKey });
      }, MIN_INTERVAL_MS);
    };
    const stops = [onSocketMessage('RO_MODIFIED', ask), onSocketMessage('CLOCK_CHANGED', ask)];
    return () => {
      for (const stop of stops) stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [client]);
}

/** About what somebody is still to be called. */
export function openReasons({ reasons }: CustomerToCall): ReasonToCall[] {
  return reasons.filter(({ calledAt }) => calledAt === null);
}

/** Says that the customer was called about everything that is open. */
export function useRecordCall(advisor: string | null): (customer: CustomerToCall) => Promise<void> {
  const client = useQueryClient();
  const changes = useChanges();
  return async (customer) => {
    await recordCall(client, changes, advisor, customer);
    await client.invalidateQueries({ queryKey });
  };
}

/** The version on which it is decided is the one that was shown: a change of something else is no obstacle. */
async function recordCall(
  client: QueryClient,
  changes: Changes,
  advisor: string | null,
  shown: CustomerToCall,
): Promise<void> {
  const { roNumber } = shown;
  const about = openReasons(shown).map(({ reason }) => reason);
  let { version } = shown;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const outcome = await changes.send({ roNumber, version }, { field: 'calls', about });
    if (outcome.kind !== 'stale') return;
    const list = await client
      .fetchQuery({ ...customersOf(advisor), staleTime: 0 })
      .catch(() => ({ result: [] }));
    const now = list.result.find((one) => one.roNumber === roNumber);
    if (now === undefined || textOf(now) !== textOf(shown)) break;
    version = now.version;
  }
  showToast({ tone: 'destructive', text: i18n.t('stages.calls.changed') });
}

/** What is to be called about, to compare. */
function textOf(customer: CustomerToCall): string {
  return openReasons(customer)
    .map(({ reason, since }) => `${reason} ${since}`)
    .join();
}
