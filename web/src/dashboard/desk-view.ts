// What the user has chosen to see of the desk: tab, search, filter, sort order, columns and row height.
import type { DueFilter } from './due-filters.ts';
import { choiceParams, type DeskChoices, useDeskChoices } from './remembered-choices.ts';
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

/** The address's query that shows this view to anybody. */
export function viewQuery(view: DeskView): string {
  const params = choiceParams(view);
  if (view.searched !== '') params.set('q', view.searched);
  if (view.due !== null) params.set('due', view.due);
  return params.toString();
}
