// What the user has chosen to see of the desk: tab, search, filter, sort order, columns and row height.
import type { DueFilter } from './due-time.ts';
import { type DeskChoices, useDeskChoices } from './remembered-choices.ts';
import { type ListSearch, useDueFilter, useSearch } from './view-params.ts';

export interface DeskView extends ListSearch, DeskChoices {
  due: DueFilter | null;
  chooseDue(filter: DueFilter | null): void;
}

export function useDeskView(): DeskView {
  const choices = useDeskChoices();
  const search = useSearch();
  const [due, chooseDue] = useDueFilter();
  return { ...choices, ...search, due, chooseDue };
}

/** Which list it is: another one begins at its top. */
export function listName({ tab, due, searched }: DeskView): string {
  return `${tab} ${due} ${searched}`;
}
