import { expect, test } from 'vitest';
import {
  defaultLayout,
  type Layout,
  layoutBesideDetails,
  layoutText,
  moveColumn,
  readLayout,
  shownColumns,
  toggleColumn,
  withStageAsBefore,
  withStages,
} from './column-layout.ts';

test('the default layout is an empty parameter', () => {
  expect(layoutText(defaultLayout)).toBe('');
  expect(readLayout('')).toBeNull();
  expect(readLayout(null)).toBeNull();
});

test('another order and hidden columns survive the address', () => {
  const layout = toggleColumn(moveColumn(defaultLayout, 'priority', -1), 'jobs');
  expect(layoutText(layout)).toBe('vehicle,priority,status,assignment,-jobs,timeline');
  expect(readLayout(layoutText(layout))).toEqual(layout);
  expect(shownColumns(layout)).toEqual([
    'details',
    'vehicle',
    'priority',
    'status',
    'assignment',
    'timeline',
  ]);
});

test('the number column cannot be hidden, moved or passed', () => {
  expect(toggleColumn(defaultLayout, 'details')).toEqual(defaultLayout);
  expect(moveColumn(defaultLayout, 'details', 1)).toEqual(defaultLayout);
  expect(moveColumn(defaultLayout, 'vehicle', -1)).toEqual(defaultLayout);
  expect(moveColumn(defaultLayout, 'timeline', 1)).toEqual(defaultLayout);
  expect(readLayout('-details')).toBeNull();
});

test('unknown column names are ignored, and missing columns go to the end', () => {
  const layout: Layout | null = readLayout('timeline,<b>,-status,timeline,constructor');
  expect(layout?.map(({ id, shown }) => (shown ? id : `-${id}`))).toEqual([
    'details',
    'timeline',
    '-status',
    'vehicle',
    'priority',
    'assignment',
    'jobs',
  ]);
  expect(readLayout('nothing,of,this')).toBeNull();
});

test('a column that is hidden before the stages are known leaves theirs as it was', () => {
  const before = readLayout('vehicle,-stage,status,priority,assignment,jobs,timeline') ?? defaultLayout;
  const chosen = toggleColumn(withStages(before, false), 'jobs');
  const kept = withStageAsBefore(chosen, before);
  expect(layoutText(kept)).toBe('vehicle,-stage,status,priority,assignment,-jobs,timeline');
  expect(withStageAsBefore(defaultLayout, before)).toBe(defaultLayout);
  expect(withStageAsBefore(kept, before)).toBe(kept);
});

test('a shop with stages has their column behind the priority, and where it was moved to', () => {
  const usual = withStages(defaultLayout, true);
  expect(shownColumns(usual).indexOf('stage')).toBe(shownColumns(usual).indexOf('priority') + 1);
  expect(layoutText(usual)).toBe('');
  expect(withStages(usual, false)).toEqual(defaultLayout);
  const moved = moveColumn(usual, 'stage', 1);
  expect(layoutText(moved)).toBe('vehicle,status,priority,assignment,stage,jobs,timeline');
  expect(withStages(readLayout(layoutText(moved)) ?? [], true)).toEqual(moved);
});

test('beside the details the jobs give way to the stages, where both are shown', () => {
  const stages = withStages(defaultLayout, true);
  expect(shownColumns(layoutBesideDetails(stages))).not.toContain('jobs');
  expect(shownColumns(layoutBesideDetails(stages))).toContain('stage');
  const withoutStages = toggleColumn(stages, 'stage');
  const withoutJobs = toggleColumn(stages, 'jobs');
  for (const layout of [defaultLayout, withoutStages, withoutJobs])
    expect(layoutBesideDetails(layout)).toBe(layout);
});
