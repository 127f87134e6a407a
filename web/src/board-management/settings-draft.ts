// The draft of a board's settings: which fields are sent, and how it merges with others' changes.
import type { Board, BoardFields, BoardSettings } from '../api/boards.ts';
import { layoutRules } from './layouts.ts';

/** The smallest and largest allowed values. */
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

/** Another layout has its own categories and default columns. */
export function withLayout(draft: Draft, layout: Board['layout'], base: Board): Draft {
  const { categories, columns } =
    layout === base.layout
      ? draftOf(base).settings
      : { categories: [...layoutRules[layout].defaultCategories], columns: '' };
  return { ...draft, layout, settings: { ...draft.settings, categories, columns } };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The draft's changes on top of the newer board. */
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

/** The fields that differ from the original board; null where a value is invalid. */
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
  // A new layout drops the settings that have layout defaults.
  const parts = Object.entries(wanted).filter(
    ([key, value]) => !isSame(value, was.get(key)) || (isOther && ['categories', 'columns'].includes(key)),
  );
  return {
    ...(name !== base.name && { name }),
    ...(isOther && { layout }),
    ...(parts.length > 0 && { settings: Object.fromEntries(parts) }),
  };
}
