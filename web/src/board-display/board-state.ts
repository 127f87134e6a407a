// The state of the shop on a board: the loaded picture and the events since.
import type { components } from '../api/schema.ts';
import { type Zone, zoneOf } from './times.ts';

type Schemas = components['schemas'];
export type BoardPicture = Schemas['BoardPicture'];
export type BoardSelf = Schemas['BoardSelf'];
export type Settings = Schemas['BoardSettings'];
export type Category = Schemas['DisplayedStatus'];
export type Stage = Schemas['BoardStage'];
export type Technician = Schemas['BoardTechnician'];
export type ShopFloorCard = Schemas['ShopFloorCard'];
export type QueueCard = Schemas['QueueCard'];
export type UsedPdiCard = Schemas['UsedPdiCard'];
export type LoungeCard = Schemas['LoungeCard'];
export type Card = Schemas['BoardCardFields'];
export type CardChange = Schemas['BoardCard'];
export type ClockChange = Schemas['BoardClock'];

/** A change is highlighted for this long. */
const SHOWN_AS_CHANGED_MS = 6_000;

export class BoardState {
  board: BoardSelf;
  zone: Zone;
  /** The newest event that is applied. */
  seq: number;
  readonly cards = new Map<string, Card>();
  readonly technicians = new Map<number, Technician>();
  /** When each card last changed (ms of the page's own clock). */
  private readonly changes = new Map<string, number>();

  constructor(picture: BoardPicture) {
    this.board = picture.board;
    this.zone = zoneOf(picture.offsets);
    this.seq = picture.seq;
    this.fill(picture);
  }

  private fill(picture: BoardPicture): void {
    for (const card of picture.cards) this.cards.set(card.key, card);
    for (const technician of picture.technicians) this.technicians.set(technician.id, technician);
  }

  /** Replaces the whole state. Cards that differ count as changed. */
  replace(picture: BoardPicture, now: number): void {
    const sameView =
      picture.board.layout === this.board.layout &&
      JSON.stringify(picture.board.settings) === JSON.stringify(this.board.settings);
    const before = new Map(this.cards);
    this.cards.clear();
    this.technicians.clear();
    this.changes.clear();
    this.fill(picture);
    this.board = picture.board;
    this.zone = zoneOf(picture.offsets);
    this.seq = picture.seq;
    if (!sameView) return;
    for (const [key, card] of this.cards) {
      if (JSON.stringify(before.get(key)) !== JSON.stringify(card)) this.changes.set(key, now);
    }
  }

  /** Whether the card names a technician who is unknown here. */
  applyCard({ seq, key, card }: CardChange, now: number): boolean {
    this.seq = Math.max(this.seq, seq);
    if (card === null) {
      this.cards.delete(key);
      this.changes.delete(key);
      return false;
    }
    if (JSON.stringify(this.cards.get(key)) !== JSON.stringify(card)) this.changes.set(key, now);
    this.cards.set(key, card);
    return 'technicianIds' in card && card.technicianIds.some((id) => !this.technicians.has(id));
  }

  clock({ id, name, running }: ClockChange): void {
    this.technicians.set(id, { id, name, running });
  }

  /** Shows a card as changed that time alone has changed. */
  highlight(key: string, now: number): void {
    this.changes.set(key, now);
  }

  changed(key: string): boolean {
    return this.changes.has(key);
  }

  /** Drops old highlights. */
  settle(now: number): void {
    for (const [key, at] of this.changes) {
      if (now - at >= SHOWN_AS_CHANGED_MS) this.changes.delete(key);
    }
  }
}
