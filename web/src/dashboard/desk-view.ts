// What the user has chosen to see of the desk: tab, search, filter, sort order, columns and row height.
import type { Tab } from './categories.ts';
import type { Layout } from './column-layout.ts';
import type { DueFilter } from './due-time.ts';
import type { Sort } from './sorting.ts';
import {
  type Density,
  type ListSearch,
  useDensity,
  useDueFilter,
  useLayout,
  useSearch,
  useSort,
  useTab,
} from './view-params.ts';

export interface DeskView extends ListSearch {
  tab: Tab;
  chooseTab(tab: Tab): void;
  due: DueFilter | null;
  chooseDue(filter: DueFilter | null): void;
  sort: Sort | null;
  chooseSort(sort: Sort | null): void;
  layout: Layout;
  chooseLayout(layout: Layout): void;
  density: Density;
  chooseDensity(density: Density): void;
}

export function useDeskView(): DeskView {
  const [tab, chooseTab] = useTab();
  const search = useSearch();
  const [due, chooseDue] = useDueFilter();
  const [sort, chooseSort] = useSort();
  const [layout, chooseLayout] = useLayout();
  const [density, chooseDensity] = useDensity();
  return {
    ...search,
    tab,
    chooseTab,
    due,
    chooseDue,
    sort,
    chooseSort,
    layout,
    chooseLayout,
    density,
    chooseDensity,
  };
}

/** Which list it is: another one begins at its top. */
export function listName({ tab, due, searched }: DeskView): string {
  return `${tab} ${due} ${searched}`;
}
