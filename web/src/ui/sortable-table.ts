// What the tables of the page have in common: TanStack Table knows their columns, which of them are shown, and the sort
// order, which is in the address.
import {
  columnVisibilityFeature,
  createSortedRowModel,
  type OnChangeFn,
  type Row,
  type RowData,
  rowSortingFeature,
  type SortingState,
  sortFn_basic,
  tableFeatures,
} from '@tanstack/react-table';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { afterTravel, screenState } from './history-entries.ts';

/** Classes of a column's cells. */
interface ColumnClasses {
  head?: string;
  cell?: string;
}

export const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { number: sortFn_basic },
  columnMeta: {} as ColumnClasses,
});

const PARAM = 'sort';

/** Of the columns with these ids. No sort order: the list's own. */
export function useSortParam(ids: readonly string[]): [SortingState, OnChangeFn<SortingState>] {
  const [params, setParams] = useSearchParams();
  const text = params.get(PARAM) ?? '';
  const sorting = useMemo(() => readSorting(text, ids), [text, ids]);
  const choose = useCallback<OnChangeFn<SortingState>>(
    (next) =>
      afterTravel(() =>
        setParams((before) => withSorting(before, typeof next === 'function' ? next(sorting) : next), {
          replace: true,
          state: screenState(),
        }),
      ),
    [sorting, setParams],
  );
  return [sorting, choose];
}

function readSorting(text: string, ids: readonly string[]): SortingState {
  const id = text.replace(/^-/, '');
  return ids.includes(id) ? [{ id, desc: text.startsWith('-') }] : [];
}

function withSorting(before: URLSearchParams, [sort]: SortingState): URLSearchParams {
  const after = new URLSearchParams(before);
  if (sort === undefined) after.delete(PARAM);
  else after.set(PARAM, `${sort.desc ? '-' : ''}${sort.id}`);
  return after;
}

/** Sorts texts as the language does; 'Bay 2' comes before 'Bay 10'. */
export function textOrder(language: string) {
  const { compare } = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  return <T extends RowData>(a: Row<typeof features, T>, b: Row<typeof features, T>, id: string) =>
    compare(a.getValue<string>(id), b.getValue<string>(id));
}
