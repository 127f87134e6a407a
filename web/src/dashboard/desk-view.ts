// What the user has chosen to see of the desk: tab, search, filter, sort order, columns and row height.
import { useMemo } from 'react';
import { withStageAsBefore, withStages } from './column-layout.ts';
import type { DueFilter } from './due-filters.ts';
import { choiceParams, type DeskChoices, useDeskChoices } from './remembered-choices.ts';
import { type ListSearch, useDueFilter, useSearch, useStageFilter } from './view-params.ts';

export interface DeskView extends ListSearch, DeskChoices {
  due: DueFilter | null;
  chooseDue(filter: DueFilter | null): void;
  /** Only the orders in this stage (its id); null: in any. */
  stage: string | null;
  chooseStage(stage: string | null): void;
  /** Whether the shop does. */
  usesStages: boolean;
}

/** `usesStages`: whether the shop does. */
export function useDeskView(usesStages: boolean): DeskView {
  const choices = useDeskChoices();
  const layout = useMemo(() => withStages(choices.layout, usesStages), [choices.layout, usesStages]);
  const [stage, chooseStage] = useStageFilter();
  const search = useSearch();
  const [due, chooseDue] = useDueFilter();
  return {
    ...choices,
    ...search,
    layout,
    chooseLayout: (chosen) => choices.chooseLayout(withStageAsBefore(chosen, choices.layout)),
    due,
    chooseDue,
    stage: usesStages ? stage : null,
    chooseStage,
    usesStages,
    presentation: usesStages ? choices.presentation : 'list',
  };
}

/** Which list it is: another one begins at its top. */
export function listName({ tab, due, stage, searched }: DeskView): string {
  return `${tab} ${due} ${stage} ${searched}`;
}

/** The address's query that shows this view to anybody. */
export function viewQuery(view: DeskView): string {
  const params = choiceParams(view, view.usesStages);
  if (view.searched !== '') params.set('q', view.searched);
  if (view.due !== null) params.set('due', view.due);
  if (view.stage !== null) params.set('stage', view.stage);
  return params.toString();
}
