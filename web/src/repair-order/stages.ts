// The shop's stages: the list, which stays current, what each is called and how it looks, and when an order has been
// in one for too long.
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onSocketMessage } from '../api/socket.ts';
import { fetchStages, type ShopStages, type StageColour, type WorkStage } from '../api/stages.ts';
import { languageOr, loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { useQueryData } from '../ui/query-data.ts';
import { loadList } from './live-orders.ts';
import type { RepairOrder } from './order.ts';
import type { OrderCache } from './order-cache.ts';
import { useOrdersSelector } from './use-orders.ts';

/** A change of the list is announced, so that it does not grow old. Where there are stages, their texts are loaded. */
export const shopStages = queryOptions({
  queryKey: ['stages'],
  queryFn: async ({ signal }) => {
    const stages = await fetchStages(signal);
    if (stages.enabled) await loadTexts(stageTexts);
    return stages;
  },
  staleTime: Number.POSITIVE_INFINITY,
  // Screens read them without an observer, which would keep them.
  gcTime: Number.POSITIVE_INFINITY,
});

/**
 * Loads the stages again when they change, and at each new connection. Orders say where they stand only while the shop
 * uses stages, so that they are loaded again when it begins or ends to.
 */
export function useLiveStages(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onSocketMessage('STAGES_CHANGED', (message) => {
        // Where nobody has asked for them, a new connection is no reason to.
        if (message !== null || cachedList(client) !== undefined) void reloadStages(client);
      }),
    [client],
  );
}

/** Also the orders, where the shop began or ended to use stages. */
export async function reloadStages(client: QueryClient): Promise<void> {
  const before = cachedList(client);
  // A load under way may have been answered before the change.
  await client.cancelQueries({ queryKey: shopStages.queryKey });
  const now = await client.fetchQuery({ ...shopStages, staleTime: 0 }).catch(() => undefined);
  if (now === undefined || now.enabled === (before?.enabled ?? false)) return;
  // A failure is shown by the list itself.
  await loadList(client).catch(() => undefined);
}

function cachedList(client: QueryClient): ShopStages | undefined {
  return client.getQueryData(shopStages.queryKey);
}

/** Whether an open order is in a stage, so that the shop uses them. */
export function useHasStages(): boolean {
  return useOrdersSelector(haveStages) ?? false;
}

/** Of caches that were looked through already. */
const hasStagesByCache = new WeakMap<OrderCache, boolean>();

function haveStages(cache: OrderCache): boolean {
  const known = hasStagesByCache.get(cache);
  if (known !== undefined) return known;
  const has = [...cache.open.values()].some(({ order }) => order.stage !== null);
  hasStagesByCache.set(cache, has);
  return has;
}

export interface Stages {
  /** By id, deleted ones included: orders may still be in them. */
  byId: ReadonlyMap<string, WorkStage>;
  /** Those that orders can be moved to, in the shop's order. */
  current: readonly WorkStage[];
}

/** Null: the shop uses no stages, or they are not loaded yet. `load`: whether they are asked for. */
export function useStages(load = true): Stages | null {
  const client = useQueryClient();
  const stages = useQueryData(shopStages.queryKey, stagesInUse);
  const isMissing = stages === undefined;
  useEffect(() => {
    // Also where they were dropped, as after a restore of the shop's data.
    if (load && isMissing) void client.prefetchQuery(shopStages);
  }, [client, load, isMissing]);
  return stages ?? null;
}

/** The same, outside of components. */
export function cachedStages(client: QueryClient): Stages | null {
  const loaded = cachedList(client);
  return loaded === undefined ? null : stagesInUse(loaded);
}

/** A table asks for them in each of its rows. */
const arranged = new WeakMap<ShopStages, Stages>();

/** Null where the shop uses none. */
export function stagesInUse(list: ShopStages): Stages | null {
  if (!list.enabled) return null;
  const found = arranged.get(list) ?? {
    byId: new Map(list.stages.map((stage) => [stage.id, stage])),
    current: list.stages.filter(({ deleted }) => !deleted),
  };
  arranged.set(list, found);
  return found;
}

/** In the page's language. */
export function stageName({ name }: Pick<WorkStage, 'name'>, language: string): string {
  return name[languageOr(language)];
}

/** A stage that the list does not have yet is called by its id. */
export function stageNameById(stages: Stages, id: string, language: string): string {
  const stage = stages.byId.get(id);
  return stage === undefined ? id : stageName(stage, language);
}

export interface StageAppearance {
  /** Text colour, 4.5:1 on its tint in both themes. */
  ink: string;
  tint: string;
  /** The same colour as an area, for dots and strips. */
  fill: string;
}

export const stageAppearance: Record<StageColour, StageAppearance> = {
  grey: { ink: 'text-quiet', tint: 'bg-sunken', fill: 'bg-line-strong' },
  teal: { ink: 'text-accent', tint: 'bg-accent-tint', fill: 'bg-accent' },
  amber: { ink: 'text-waiting', tint: 'bg-waiting-tint', fill: 'bg-waiting' },
  blue: { ink: 'text-drop', tint: 'bg-drop-tint', fill: 'bg-drop' },
  violet: { ink: 'text-pdi', tint: 'bg-pdi-tint', fill: 'bg-pdi' },
  green: { ink: 'text-used', tint: 'bg-used-tint', fill: 'bg-used' },
};

const MINUTE_MS = 60_000;

/** Whether an order has been in its stage for longer than the shop finds right. */
export function isTooLong(
  { stageSince }: Pick<RepairOrder, 'stageSince'>,
  stage: Pick<WorkStage, 'tooLongMinutes'>,
  now: number,
): boolean {
  const { tooLongMinutes } = stage;
  return stageSince !== null && tooLongMinutes != null && now - stageSince > tooLongMinutes * MINUTE_MS;
}
