// A board's settings as they are being changed: what of them is sent, and what becomes of them when somebody else has
// changed the board meanwhile.
import type { Board, BoardFields, BoardSettings } from '../api/boards.ts';
import { layoutAppearance } from './layouts.ts';

/** The least and the most that there can be. */
export const COLUMN_RANGE = [1, 12] as const;
export const PAGE_SECONDS_RANGE = [5, 120] as const;

export type Settings = Omit<BoardSettings, 'columns' | 'pageSeconds'> & {
  /** As they are typed. */
  columns: string;
  pageSeconds: string;
};

export interface Draft {
  name: string;
  layout: Board['layout'];
  settings: Settings;
}

export function draftOf({ name, layout, settings }: Board): Draft {
  const { columns, pageSeconds, ...rest } = settings;
  return {
    name,
    layout,
    settings: {
      ...rest,
      columns: columns === null ? '' : String(columns),
      pageSeconds: String(pageSeconds),
    },
  };
}

/** Another layout shows its own cars, in as many columns as fit it. */
export function withLayout(draft: Draft, layout: Board['layout'], base: Board): Draft {
  const { categories, columns } =
    layout === base.layout
      ? draftOf(base).settings
      : { categories: [...layoutAppearance[layout].usual], columns: '' };
  return { ...draft, layout, settings: { ...draft.settings, categories, columns } };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What was changed here, on what somebody else has made of the rest. */
export function rebaseDraft(mine: Draft, before: Draft, theirs: Draft): Draft {
  const pick = <T>(own: T, old: T, new_: T) => (isSame(own, old) ? new_ : own);
  const merged = { ...theirs.settings };
  for (const key of Object.keys(merged) as (keyof Settings)[]) {
    Object.assign(merged, { [key]: pick(mine.settings[key], before.settings[key], theirs.settings[key]) });
  }
  return {
    name: pick(mine.name, before.name, theirs.name),
    layout: pick(mine.layout, before.layout, theirs.layout),
    settings: merged,
  };
}

export const isComplete = (n: number, [least, most]: readonly [number, number]) =>
  Number.isInteger(n) && n >= least && n <= most;
const columnsOf = ({ columns }: Settings) => (columns.trim() === '' ? null : Number(columns));
export const isValidColumnCount = (settings: Settings) => {
  const columns = columnsOf(settings);
  return columns === null || isComplete(columns, COLUMN_RANGE);
};

/** What differs from the board as it was; null where something cannot be so. */
export function changedSettings(base: Board, draft: Draft): BoardFields | null {
  const { layout, settings } = draft;
  const name = draft.name.trim();
  const columns = columnsOf(settings);
  const pageSeconds = Number(settings.pageSeconds);
  if (name === '' || !isValidColumnCount(settings) || !isComplete(pageSeconds, PAGE_SECONDS_RANGE))
    return null;
  const wanted: BoardSettings = { ...settings, columns, pageSeconds };
  const was = new Map<string, unknown>(Object.entries(base.settings));
  const isOther = layout !== base.layout;
  // With another layout go those that it would have its own of.
  const parts = Object.entries(wanted).filter(
    ([key, value]) => !isSame(value, was.get(key)) || (isOther && ['categories', 'columns'].includes(key)),
  );
  return {
    ...(name !== base.name && { name }),
    ...(isOther && { layout }),
    ...(parts.length > 0 && { settings: Object.fromEntries(parts) }),
  };
}
