import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { fetchTimeOnOrder } from '../api/clock.ts';
import { ApiError } from '../api/http.ts';
import { type Details, fetchDetails } from '../api/repair-orders.ts';
import { noteServerTime } from '../api/server-time.ts';
import { fetchVersions } from '../api/tech-stories.ts';
import { deleteSavedScreens, loadScreen } from '../offline/saved-screens.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { storyJob, storyVersion } from '../tech-story/story.fixture.ts';
import { closedJob, closedOrder } from './closed-orders.fixture.ts';
import { closedToKeep, keepOrder, keptClosed, keptOpen } from './kept-orders.ts';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: () => ({ status: 'signed-in', user: { uid: 'u7', technicianId: 7 } }),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: vi.fn(),
}));
vi.mock('../api/tech-stories.ts', async (original) => ({
  ...(await original<typeof import('../api/tech-stories.ts')>()),
  fetchVersions: vi.fn(),
}));
vi.mock('../api/clock.ts', async (original) => ({
  ...(await original<typeof import('../api/clock.ts')>()),
  fetchTimeOnOrder: vi.fn(),
}));

function details(changes: Partial<Details> = {}): Details {
  const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName, source, ...order } =
    row(7);
  const jobs = [storyJob({ jobNumber: 1, techStory: 'Replaced it.' }), storyJob({ jobNumber: 2 })];
  return { ...order, closedDateTime: null, version: 4, jobs, ...changes };
}

const open = (version: number) => keptOpen({ order: toRepairOrder([row(7)]), version });
/** How often each was asked for. */
const requests = () =>
  [fetchDetails, fetchVersions, fetchTimeOnOrder].map((one) => vi.mocked(one).mock.calls.length);

beforeEach(async () => {
  // A silent server is not asked for what is saved.
  noteServerTime(new Date().toISOString());
  await deleteSavedScreens();
  vi.mocked(fetchDetails).mockReset().mockResolvedValue(details());
  vi.mocked(fetchVersions)
    .mockReset()
    .mockResolvedValue([storyVersion(3, { current: true })]);
  vi.mocked(fetchTimeOnOrder).mockReset().mockResolvedValue([]);
});

test('an order is kept with the versions of each written story and the time on it', async () => {
  await keepOrder(open(4));
  expect(await loadScreen('details-7')).toMatchObject({ version: 4 });
  expect(await loadScreen('versions-7-1')).toMatchObject({ orderVersion: 4, versions: [{ seq: 3 }] });
  expect(await loadScreen('time-7')).toEqual([]);
  expect(vi.mocked(fetchVersions).mock.calls.map(([job]) => job.jobNumber)).toEqual([1]);
});

test('what is on this device already is not fetched again', async () => {
  await keepOrder(open(4));
  await keepOrder(open(4));
  expect(requests()).toEqual([1, 1, 1]);
  vi.mocked(fetchDetails).mockResolvedValue(details({ version: 5 }));
  await keepOrder(open(5));
  expect(requests()).toEqual([2, 2, 2]);
});

test('an order without a story costs one request', async () => {
  vi.mocked(fetchDetails).mockResolvedValue(details({ jobs: [storyJob()] }));
  await keepOrder(open(4));
  expect(requests()).toEqual([1, 0, 0]);
});

test('the stories of an order that are withheld are not asked for', async () => {
  vi.mocked(fetchDetails).mockResolvedValue(details({ storiesWithheld: true }));
  await keepOrder(open(4));
  expect(requests()).toEqual([1, 0, 0]);
});

test('a closed order is fetched again when a story was written, and when its newer version was heard of', async () => {
  const closedDateTime = '2026-03-02T14:00:00.000Z';
  const closed = (hasStory: boolean) =>
    closedOrder(7, { closedDateTime, jobs: [closedJob(1), closedJob(2, { hasStory })] });
  vi.mocked(fetchDetails).mockResolvedValue(details({ closedDateTime }));
  await keepOrder(keptClosed(closed(false), 0));
  await keepOrder(keptClosed(closed(false), 4));
  expect(requests()[0]).toBe(1);
  await keepOrder(keptClosed(closed(true), 0));
  expect(requests()[0]).toBe(2);
  await keepOrder(keptClosed(closed(false), 5));
  expect(requests()[0]).toBe(3);
  // It was open when it was kept.
  vi.mocked(fetchDetails).mockResolvedValue(details());
  await keepOrder(open(9));
  await keepOrder(keptClosed(closed(false), 0));
  expect(requests()[0]).toBe(5);
});

test('a server that is away ends it, whatever is saved', async () => {
  await keepOrder(open(4));
  vi.mocked(fetchDetails).mockRejectedValue(new ApiError(0, 'network', 'Away.'));
  await expect(keepOrder(open(5))).rejects.toThrow();
});

test('of closed orders those are kept whose story is owed and those of a week, twenty at most', () => {
  const now = Date.parse('2026-03-20T12:00:00.000Z');
  const at = (roNumber: number, day: string, hasStory: boolean) =>
    closedOrder(roNumber, {
      closedDateTime: `2026-03-${day}T12:00:00.000Z`,
      jobs: [closedJob(1, { hasStory })],
    });
  const some = [at(1, '19', true), at(2, '14', true), at(3, '12', true), at(4, '02', false)];
  expect(closedToKeep(some, now).map(({ repairOrderNumber }) => repairOrderNumber)).toEqual([4, 1, 2]);
  const many = Array.from({ length: 50 }, (_, place) => at(place, '19', place % 2 === 0));
  expect(closedToKeep(many, now)).toHaveLength(20);
});
