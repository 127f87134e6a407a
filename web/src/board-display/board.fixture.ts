// Boards, cards and technicians for tests.
import {
  BoardState,
  type Card,
  type LoungeCard,
  type QueueCard,
  type Settings,
  type ShopFloorCard,
  type Technician,
} from './board-state.ts';

export const now = Date.parse('2026-11-18T16:41:20Z');
export const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
export const room = { width: 78, height: 36.5 };
export const upright = { width: 23.3, height: 33.5 };

const settings: Settings = {
  categories: [],
  technicians: [],
  columns: null,
  textSize: 'normal',
  pageSeconds: 15,
  theme: 'dark',
  dimFrom: null,
  dimUntil: null,
  language: null,
};

export function shop(
  layout: BoardState['board']['layout'],
  cards: Card[],
  part: Partial<Settings> = {},
  technicians: Technician[] = [],
): BoardState {
  const board = { boardId: 'b', name: 'Board', layout, settings: { ...settings, ...part } };
  return new BoardState({
    seq: 1,
    board,
    now: at(0),
    offsets: [{ from: '2026-11-01T07:00:00Z', seconds: -21_600 }],
    version: '1',
    cards,
    technicians,
    checksum: '',
  });
}

export const queued = (
  key: string,
  promised: string | null,
  status: QueueCard['status'] = 'Drop',
): QueueCard => ({
  key,
  roNumber: key,
  customer: 'Lovelace',
  vehicle: '2003 Honda Accord EX',
  status,
  priority: 'Medium',
  promised,
  opened: at(-600),
  advisor: 'Ann',
  technician: null,
});

export const onFloor = (key: string, part: Partial<ShopFloorCard> = {}): ShopFloorCard => ({
  key,
  roNumber: key,
  customer: 'Lovelace',
  vehicle: '2003 Honda Accord EX',
  tagNumber: 'T118',
  status: 'Drop',
  priority: 'Medium',
  technicianIds: [1],
  promised: at(300),
  opened: at(-600),
  jobs: 1,
  done: 0,
  ...part,
});

export const technician = (id: number, key: string | null = null): Technician => ({
  id,
  name: `Technician ${id}`,
  running: key === null ? null : { key, since: at(-30) },
});

export const inLounge = (key: string, part: Partial<LoungeCard> = {}): LoungeCard => ({
  key,
  who: `${key} L.`,
  stage: 'in-work',
  promised: at(60),
  ...part,
});
