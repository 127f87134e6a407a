// The commands about orders, and the words they are typed with.
import type { Priority } from '../api/repair-orders.ts';
import type { Hold } from '../api/stages.ts';
import { type OrderAction, orderActions } from '../repair-order/order-actions.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import type { DisplayedStatus } from '../repair-order/statuses.ts';

export type Verb = OrderAction | 'endHold' | 'copy' | 'story';
export const verbs: readonly Verb[] = [...orderActions, 'endHold', 'copy', 'story'];

/** The words of the page's language and of English. */
export interface Vocabulary {
  /** The first phrase of each is the one that is shown. */
  verbs: Record<Verb, readonly string[]>;
  statuses: Record<DisplayedStatus, readonly string[]>;
  priorities: Record<Priority, readonly string[]>;
  /** Those that orders can be moved to; none where the shop uses no stages. */
  stages: readonly NamedStage[];
  /** Words that say nothing: 'to', 'from'. */
  fillers: readonly string[];
}

/** A complete command, ready to execute. */
export type Command =
  | { kind: 'details'; cached: OpenOrder }
  | { kind: 'copy'; cached: OpenOrder }
  | { kind: 'story'; cached: OpenOrder }
  /**
   * `cached` is missing and `status` is unknown when the command is sent as typed, for the server to refuse it with a
   * reason.
   */
  | { kind: 'status'; roNumber: number; number: string; status: string; cached?: OpenOrder }
  | { kind: 'priority'; cached: OpenOrder; priority: Priority }
  | { kind: 'stage'; cached: OpenOrder; stage: NamedStage }
  /** Asks for what it waits. */
  | { kind: 'hold'; cached: OpenOrder }
  | { kind: 'endHold'; cached: OpenOrder; hold: Hold }
  | { kind: 'dispatch' | 'add' | 'remove'; cached: OpenOrder; technician: TechnicianMatch }
  /** Several orders for one technician. */
  | { kind: 'batch'; orders: readonly [OpenOrder, ...OpenOrder[]]; technician: TechnicianMatch }
  | { kind: 'reassign'; cached: OpenOrder; from: TechnicianMatch; technician: TechnicianMatch };

export interface TechnicianMatch {
  id: number;
  name: string;
}

interface NamedStage {
  id: string;
  /** In the page's language. */
  name: string;
  /** In the page's language and in English. */
  words: readonly string[];
  /** The class of its colour. */
  ink: string;
}

/** An incomplete command: `text` is typed into the field when it is chosen. */
export interface PartialCommand {
  verb: Exclude<Verb, 'details' | 'copy' | 'story' | 'hold' | 'endHold'>;
  orders: readonly [OpenOrder, ...OpenOrder[]];
  text: string;
}

export type Reading = { command: Command } | { beginning: PartialCommand };
