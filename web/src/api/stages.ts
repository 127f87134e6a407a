// The shop's stages of work, where an order stands, and what it waits for, as the server's document has them.
import { http, unwrapAnswer } from './http.ts';
import type { ChangedResult, OrderVersion } from './repair-orders.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
/** In the shop's order, deleted ones included; `enabled`: whether the shop uses them. */
export type ShopStages = Schemas['ShopStages'];
export type WorkStage = Schemas['WorkStage'];
export type StageKind = Schemas['StageKind'];
export type StageColour = Schemas['StageColour'];
export type StageStrip = Schemas['StageStrip'];
/** Where the shop's cars waited on some days. */
export type TimeInStages = Schemas['TimeInStages'];
export type NewStage = Schemas['NewStage'];
/** A missing field stays as it is. */
export type StageFields = Schemas['StageFields'];
/** A hold that has not ended. */
export type Hold = Schemas['RepairOrderHold'];
export type HoldReason = Schemas['HoldReason'];
export type HoldActor = Schemas['HoldActor'];
/** `expectedUntil` in ISO; what is left out stays as it is where the order waits for that already. */
export type HoldDraft = Omit<Schemas['StartHold'], 'expectedVersion'>;

export async function fetchStages(signal?: AbortSignal): Promise<ShopStages> {
  return (await unwrapAnswer(http.GET('/api/stages', { signal }))).result;
}

/** Turns stages on or off, says whether files move orders, and puts stages in another order (ids). */
export async function configureStages(body: Schemas['ShopStagesFields']): Promise<ShopStages> {
  return (await unwrapAnswer(http.PUT('/api/stages', { body }))).result;
}

export async function addStage(body: NewStage): Promise<WorkStage> {
  return (await unwrapAnswer(http.POST('/api/stages', { body }))).result;
}

/** `deleted: false` brings a deleted one back. */
export async function changeStage(id: string, body: StageFields): Promise<WorkStage> {
  return (await unwrapAnswer(http.PATCH('/api/stages/{id}', { params: { path: { id } }, body }))).result;
}

export async function deleteStage(id: string): Promise<void> {
  await unwrapAnswer(http.DELETE('/api/stages/{id}', { params: { path: { id } } }));
}

/** `endHolds`: an order that a hold keeps in its stage goes all the same; without it, 409 `on-hold`. */
export async function setStage(
  order: OrderVersion,
  stage: string,
  endHolds = false,
): Promise<ChangedResult[]> {
  const body = { stage, endHolds, expectedVersion: order.version ?? null };
  return [
    (await unwrapAnswer(http.POST('/api/repair-orders/{roNumber}/stage', { ...of(order), body }))).result,
  ];
}

/** Begins a hold; the same reason for the same job again changes what is said of it. */
export async function startHold(order: OrderVersion, hold: HoldDraft): Promise<ChangedResult[]> {
  const body = { ...hold, expectedVersion: order.version ?? null };
  return [
    (await unwrapAnswer(http.POST('/api/repair-orders/{roNumber}/holds', { ...of(order), body }))).result,
  ];
}

/** A hold that has ended already counts as ended. */
export async function endHold(order: OrderVersion, holdId: number): Promise<ChangedResult[]> {
  const params = { path: { ...of(order).params.path, holdId: String(holdId) } };
  const body = { expectedVersion: order.version ?? null };
  return [
    (await unwrapAnswer(http.POST('/api/repair-orders/{roNumber}/holds/{holdId}/end', { params, body })))
      .result,
  ];
}

/** Where the hours of an order went. 409 `stages-off`. */
export async function fetchStageStrip(roNumber: number, signal?: AbortSignal): Promise<StageStrip> {
  const params = { path: { roNumber: String(roNumber) } };
  return (await unwrapAnswer(http.GET('/api/repair-orders/{roNumber}/stages', { params, signal }))).result;
}

/** The days are the shop's, 'YYYY-MM-DD', both included, 100 at most. 409 `stages-off`. */
export async function fetchTimeInStages(
  days: { from: string; to: string },
  signal?: AbortSignal,
): Promise<TimeInStages> {
  const params = { query: days };
  return (await unwrapAnswer(http.GET('/api/stages/totals', { params, signal }))).result;
}

function of({ roNumber }: OrderVersion) {
  return { params: { path: { roNumber: String(roNumber) } } };
}
