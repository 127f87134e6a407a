import { describe, expect, test } from 'vitest';
import { filterAndSort, readView, type View, writeView } from './filter-and-sort.ts';
import { idleSince, onJobSince, technician } from './workload.fixture.ts';

const view = (part: Partial<View> = {}): View => ({ search: '', order: 'name', filter: 'all', ...part });
const counts = { waiting: 0, drop: { total: 0, high: 0, medium: 0, low: 0 }, pdi: 0, used: 0, total: 0 };

const ana = technician(1, 'Ana Ruiz', {
  specialty: 'Engine',
  levelName: 'Master',
  // Of Thursday's work nobody is over today.
  assignedHours: 60,
  dueTodayHours: 3,
  hoursLeftToday: 4,
  clock: onJobSince('2026-03-02T08:00:00Z', 10, 1),
});
const bo = technician(2, 'Bo Li', {
  assignedHours: 9.5,
  dueTodayHours: 9.5,
  clock: idleSince('2026-03-02T10:00:00Z'),
});
const cal = technician(3, 'Cal Reyes', { assignedHours: 2, dueTodayHours: 1, hoursLeftToday: 0 });
const dee = technician(4, 'Dee Chen', { clock: idleSince('2026-03-02T09:00:00Z') });
const eli = technician(5, 'Eli Stone', { counts: { ...counts, used: 2, total: 2 } });
const all = [eli, dee, cal, bo, ana];

const names = (part: Partial<View>) =>
  filterAndSort(all, view(part), 'en').map(({ fullName }) => fullName.split(' ')[0]);

describe('the order', () => {
  test('is by name, if that is chosen', () => {
    expect(names({ order: 'name' })).toEqual(['Ana', 'Bo', 'Cal', 'Dee', 'Eli']);
  });

  test('by load goes by how full the rest of today is, then by the backlog, then by the number of orders', () => {
    expect(names({ order: 'load' })).toEqual(['Cal', 'Bo', 'Ana', 'Eli', 'Dee']);
    const later = technician(6, 'Fay Long', { assignedHours: 20 });
    const over = technician(7, 'Gus Moss', { assignedHours: 30, dueTodayHours: 1, hoursLeftToday: 0 });
    expect(
      filterAndSort([...all, later, over], view({ order: 'load' }), 'en').map(
        ({ technicianId }) => technicianId,
      ),
    ).toEqual([7, 3, 2, 1, 6, 5, 4]);
  });

  test('by default has the longest idle technician first, then the least loaded, and those off the clock last', () => {
    const busier = technician(6, 'Abe Long', {
      dueTodayHours: 7,
      clock: onJobSince('2026-03-02T08:00:00Z', 11, 1),
    });
    expect(
      filterAndSort([busier, ...all], readView(new URLSearchParams()), 'en').map(({ fullName }) => fullName),
    ).toEqual(['Dee Chen', 'Bo Li', 'Ana Ruiz', 'Abe Long', 'Eli Stone', 'Cal Reyes']);
  });
});

describe('the filter', () => {
  test.each([
    ['all', ['Ana', 'Bo', 'Cal', 'Dee', 'Eli']],
    ['idle', ['Bo', 'Dee']],
    ['on-job', ['Ana']],
    ['off', ['Cal', 'Eli']],
    ['over', ['Bo', 'Cal']],
  ] as const)('%s leaves those', (filter, left) => {
    expect(names({ filter })).toEqual(left);
  });

  test.each([
    ['ruiz', ['Ana']],
    ['eng', ['Ana']],
    ['mast', ['Ana']],
    ['a r', ['Ana']],
    ['nobody', []],
  ])('"%s" finds by name, specialty and level', (search, found) => {
    expect(names({ search })).toEqual(found);
  });
});

test('filters and sorting survive the address, and defaults are left out of it', () => {
  expect(writeView(view({ order: 'idle' })).toString()).toBe('');
  const chosenView = view({ search: 'ana', order: 'load', filter: 'over' });
  expect(readView(writeView(chosenView))).toEqual(chosenView);
});

test('an invalid address shows everybody in the default order', () => {
  expect(readView(new URLSearchParams('sort=shoe&show=size'))).toEqual(view({ order: 'idle' }));
});
