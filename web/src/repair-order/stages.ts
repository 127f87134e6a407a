// The shop's stages: the list, which stays current, what each is called and how it looks, and when an order has been
// in one for too long.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onSocketMessage } from '../api/socket.ts';
import { fetchStages, type ShopStages, type StageColour, type WorkStage } from '../api/stages.ts';
import { languageOr } from '../i18n/i18n.ts';
import { loadList } from './live-orders.ts';
import type { RepairOrder } from './order.ts';

/** A change of the list is announced, so that it does not grow old. */
export const shopStages = queryOptions({
  queryKey: ['stages'],
  queryFn: ({ signal }) => fetchStages(signal),
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * Loads the stages again when they change, and at each new connection. Orders say where they stand only while the shop
 * uses stages, so that they are loaded again when it begins or ends to.
 */
export function useLiveStages(): void {
  const client = useQueryClient();
  useEffect(
    () => onSocketMessage('STAGES_CHANGED', (message) => void reload(client, message !== null)),
    [client],
  );
}

async function reload(client: QueryClient, announced: boolean): Promise<void> {
  const before = client.getQueryData(shopStages.queryKey);
  // The first connection comes with the first list.
  if (before === undefined && !announced) return;
  await client.invalidateQueries({ queryKey: shopStages.queryKey, refetchType: 'all' });
  await loadOrdersIfSwitched(client, before);
}

/** Where the shop began or ended to use stages, the orders are loaded again. */
export async function loadOrdersIfSwitched(
  client: QueryClient,
  before: ShopStages | undefined,
): Promise<void> {
  const now = client.getQueryData(shopStages.queryKey);
  if (now === undefined || now.enabled === (before?.enabled ?? false)) return;
  // A failure is shown by the list itself.
  await loadList(client).catch(() => undefined);
}

export interface Stages {
  /** By id, deleted ones included: orders may still be in them. */
  byId: ReadonlyMap<string, WorkStage>;
  /** Those that orders can be moved to, in the shop's order. */
  current: readonly WorkStage[];
}

/** Null: the shop uses no stages, or they are not loaded yet. */
export function useStages(): Stages | null {
  return useQuery({ ...shopStages, select: stagesInUse }).data ?? null;
}

/** The same, outside of components. */
export function cachedStages(client: QueryClient): Stages | null {
  const loaded = client.getQueryData(shopStages.queryKey);
  return loaded === undefined ? null : stagesInUse(loaded);
}

/** Null where the shop uses none. */
export function stagesInUse({ enabled, stages }: ShopStages): Stages | null {
  if (!enabled) return null;
  return {
    byId: new Map(stages.map((stage) => [stage.id, stage])),
    current: stages.filter(({ deleted }) => !deleted),
  };
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
