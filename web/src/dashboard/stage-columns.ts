// The columns of the stage view: one for each stage, with its cars in the order of the list, and the way of the arrow keys
// through them.
import type { WorkStage } from '../api/stages.ts';
import type { Stages } from '../repair-order/stages.ts';
import type { FrozenRow } from './frozen-row-order.ts';

export interface StageColumn {
  /** The stage's; empty for orders without one. */
  id: string;
  /** Undefined: orders have none, or one that the list does not have yet. */
  stage: WorkStage | undefined;
  rows: readonly FrozenRow[];
  /** The numbers of the orders, by row. */
  keys: readonly number[];
  /** How many of the rows are cars that stand there. */
  shown: number;
  /** How many cars of the shop stand there, shown or not. */
  count: number;
}

/** A column that nobody can be moved to is there only while cars are in it. `only`: the column of this stage alone. */
export function columnsOf(
  rows: readonly FrozenRow[],
  stages: Stages,
  counts: ReadonlyMap<string, number>,
  only: string | null,
): StageColumn[] {
  const byStage = new Map<string, FrozenRow[]>();
  for (const row of rows) {
    const id = row.cached.order.stage ?? '';
    const own = byStage.get(id);
    if (own === undefined) byStage.set(id, [row]);
    else own.push(row);
  }
  const listed = [...stages.byId.values()].filter(({ id, deleted }) => !deleted || byStage.has(id));
  const others = [...byStage.keys()].filter((id) => !stages.byId.has(id));
  return [...others, ...listed.map(({ id }) => id)]
    .filter((id) => only === null || id === only)
    .map((id) => {
      const own = byStage.get(id) ?? [];
      const shown = own.filter(({ removal }) => removal === null).length;
      return {
        id,
        stage: stages.byId.get(id),
        rows: own,
        keys: own.map(({ cached }) => cached.order.key),
        shown,
        count: counts.get(id) ?? shown,
      };
    });
}

/** More cars stand there than the shop finds right. */
export function isOverLimit({ stage, count }: Pick<StageColumn, 'stage' | 'count'>): boolean {
  return stage?.limit !== undefined && count > stage.limit;
}

/** A card: its column, and its place in it. */
export interface CardPlace {
  column: number;
  index: number;
}

type Keys = Pick<StageColumn, 'keys'>;

export function placeOfCard(columns: readonly Keys[], key: number): CardPlace | null {
  for (const [column, { keys }] of columns.entries()) {
    const index = keys.indexOf(key);
    if (index >= 0) return { column, index };
  }
  return null;
}

/** The nearest card to a place where there may be none any more; null: there is no card. */
export function nearestPlace(columns: readonly Keys[], { column, index }: CardPlace): CardPlace | null {
  const length = columns[column]?.keys.length ?? 0;
  if (length > 0) return { column, index: Math.min(index, length - 1) };
  const after = nextFilled(columns, column, 1);
  const other = after === null ? nextFilled(columns, column, -1) : after;
  return other === null ? null : { column: other, index: 0 };
}

/** Where a key leads from a card. Null: it is another key, or there is nothing in that direction. */
export function placeByKey(columns: readonly Keys[], at: CardPlace, key: string): CardPlace | null {
  const last = (columns[at.column]?.keys.length ?? 0) - 1;
  const within = (index: number) => (index < 0 || index > last ? null : { ...at, index });
  const beside = (by: 1 | -1) => {
    const column = nextFilled(columns, at.column, by);
    return column === null ? null : nearestPlace(columns, { column, index: at.index });
  };
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return within(at.index + 1);
    case 'ArrowUp':
    case 'k':
      return within(at.index - 1);
    case 'Home':
      return within(0);
    case 'End':
      return within(last);
    case 'ArrowRight':
      return beside(1);
    case 'ArrowLeft':
      return beside(-1);
    default:
      return null;
  }
}

/** The next column with a card in it. */
function nextFilled(columns: readonly Keys[], from: number, by: 1 | -1): number | null {
  for (let column = from + by; column >= 0 && column < columns.length; column += by) {
    if ((columns[column]?.keys.length ?? 0) > 0) return column;
  }
  return null;
}
