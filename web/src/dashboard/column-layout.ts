// Which columns the table has, in which order, and which of them are hidden. The number column stands first and stays.
export const columnIds = [
  'details',
  'vehicle',
  'status',
  'priority',
  'stage',
  'assignment',
  'jobs',
  'timeline',
] as const;
export type ColumnId = (typeof columnIds)[number];

export function isColumn(value: string): value is ColumnId {
  return columnIds.some((id) => id === value);
}

/** All columns, in their order. */
export type Layout = readonly { id: ColumnId; shown: boolean }[];

export const FIXED_COLUMN: ColumnId = 'details';

/** Of a shop without stages. */
export const defaultLayout: Layout = columnIds
  .filter((id) => id !== 'stage')
  .map((id) => ({ id, shown: true }));

/** The URL parameter: the movable columns in order, a hidden one prefixed with a minus. '' by default. */
export function layoutText(layout: Layout): string {
  const text = layoutNames(layout);
  const usual = withStages(defaultLayout, layout.some(isStage));
  return text === layoutNames(usual) ? '' : text;
}

/** Null: the text is invalid. Columns it does not name come after those it names. */
export function readLayout(text: string | null): Layout | null {
  const named = new Map<ColumnId, boolean>();
  for (const word of (text ?? '').split(',')) {
    const id = word.replace(/^-/, '');
    if (isColumn(id) && id !== FIXED_COLUMN && !named.has(id)) named.set(id, !word.startsWith('-'));
  }
  if (named.size === 0) return null;
  const rest = columnIds.filter((id) => id !== FIXED_COLUMN && id !== 'stage' && !named.has(id));
  return [
    { id: FIXED_COLUMN, shown: true },
    ...[...named].map(([id, shown]) => ({ id, shown })),
    ...rest.map((id) => ({ id, shown: true })),
  ];
}

/** A shop without stages has no column of them; in another it stands behind the priority until somebody moves it. */
export function withStages(layout: Layout, usesStages: boolean): Layout {
  if (layout.some(isStage) === usesStages) return layout;
  if (!usesStages) return layout.filter((one) => !isStage(one));
  return layout.flatMap((one) => (one.id === 'priority' ? [one, { id: 'stage', shown: true }] : one));
}

/**
 * A layout that was chosen while no column of stages was drawn, with the place that the column had before: the orders may
 * not be loaded yet.
 */
export function withStageAsBefore(layout: Layout, before: Layout): Layout {
  const place = before.findIndex(isStage);
  const stage = before[place];
  if (stage === undefined || layout.some(isStage) || layoutText(layout) === '') return layout;
  const inFront = before[place - 1]?.id;
  return layout.flatMap((one) => (one.id === inFront ? [one, stage] : [one]));
}

/**
 * Beside open details a small screen has no room for all columns of a shop with stages: the jobs give way, which the
 * details have. The same layout where none has to.
 */
export function layoutBesideDetails(layout: Layout): Layout {
  const isCrowded = layout.some((one) => isStage(one) && one.shown) && layout.some(areShownJobs);
  return isCrowded ? layout.map((one) => (areShownJobs(one) ? { ...one, shown: false } : one)) : layout;
}

function areShownJobs({ id, shown }: Layout[number]): boolean {
  return id === 'jobs' && shown;
}

function isStage({ id }: { id: ColumnId }): boolean {
  return id === 'stage';
}

export function shownColumns(layout: Layout): ColumnId[] {
  return layout.filter(({ shown }) => shown).map(({ id }) => id);
}

export function toggleColumn(layout: Layout, id: ColumnId): Layout {
  if (id === FIXED_COLUMN) return layout;
  return layout.map((one) => (one.id === id ? { id, shown: !one.shown } : one));
}

/** One place towards the front (-1) or the back (1). */
export function moveColumn(layout: Layout, id: ColumnId, by: -1 | 1): Layout {
  if (!canMove(layout, id, by)) return layout;
  const from = layout.findIndex((one) => one.id === id);
  const after = [...layout];
  after.splice(from + by, 0, ...after.splice(from, 1));
  return after;
}

export function canMove(layout: Layout, id: ColumnId, by: -1 | 1): boolean {
  const to = layout.findIndex((one) => one.id === id) + by;
  return id !== FIXED_COLUMN && to > 0 && to < layout.length;
}

function layoutNames(layout: Layout): string {
  return layout
    .filter(({ id }) => id !== FIXED_COLUMN)
    .map(({ id, shown }) => (shown ? id : `-${id}`))
    .join();
}
