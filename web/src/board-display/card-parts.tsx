// What the cards of several layouts have.
import type { QueueCard, ShopFloorCard } from './board-state.ts';
import { vehicleForms } from './short-names.ts';
import { texts } from './texts.ts';
import type { Zone } from './times.ts';

export interface Moment {
  /** The server's time (ms). */
  now: number;
  zone: Zone;
  /** The screen is upright: there is little width and much height. */
  upright: boolean;
}

/** How a card stands in its place. */
export interface CardState {
  changed: boolean;
  /** It is not there any more: its place is kept until the page turns. */
  isGone: boolean;
}

export interface CardPlace extends CardState {
  height: string;
}

export const classes = (...names: (string | false)[]) => names.filter((name) => name !== false).join(' ');

export function stateClasses({ changed, isGone }: CardState): (string | false)[] {
  return [changed && 'changed', isGone && 'gone'];
}

export function GoneSign() {
  return <p class="line gone-sign">{texts.gone}</p>;
}

/** Its stage of work, where the shop has them, and as much of the vehicle as there is room for. */
export function stageAndVehicle({ vehicle, stageName }: ShopFloorCard | QueueCard): string[] {
  const forms = vehicleForms(vehicle);
  const stage = stageName?.[texts.language.slice(0, 2) as 'en'];
  return stage === undefined ? forms : [...forms.map((form) => `${stage} · ${form}`), stage];
}
