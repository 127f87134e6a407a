// What has to be there at the end of a technician's day: on the server once each, and on the phone as on the server.
import { type ClockEntry, clockOf, entriesOf, partOf } from './clock-records.ts';
import { expect, OWNER } from './desk.ts';
import type { Moment } from './phone.ts';
import { Api } from './server-api.ts';
import {
  BRAKES,
  CARS,
  type Day,
  FINISHED,
  HANDED_BACK,
  NO_START,
  NOTED,
  NOTED_LATER,
  RATTLE,
  STORIES,
} from './technician-day.ts';

/** An entry of the job clock as it has to be. */
export interface Worked {
  roNumber: number | null;
  jobNumber: number | null;
  /** Without a network: when it was tapped. */
  begun?: Moment;
}

/** What the technician and the colleague have of the sold hours of today's jobs. */
export async function soldToday({
  owner,
  technician,
  colleague,
}: Day): Promise<[own: number, colleagues: number]> {
  const [own, colleagues] = await Promise.all([clockOf(owner, technician), clockOf(owner, colleague)]);
  return [own.today.soldHours, colleagues.today.soldHours];
}

/** `before`: what both had. Nobody else works on these jobs. */
export async function expectSplitByClockedTime(day: Day, before: readonly [number, number]): Promise<void> {
  const { owner, technician } = day;
  let own = 0;
  let all = 0;
  for (const job of FINISHED) {
    own += job.sold * (await partOf(owner, technician, job));
    all += job.sold;
  }
  const [ownNow, colleaguesNow] = await soldToday(day);
  // Each job's share is a whole hundredth; what was sold is shared out whole.
  expect(Math.abs(ownNow - before[0] - own)).toBeLessThan(0.01 * FINISHED.length);
  expect(ownNow - before[0] + colleaguesNow - before[1]).toBeCloseTo(all, 2);
  expect(colleaguesNow).toBeGreaterThan(before[1]);
}

export async function storyOf(owner: Api, roNumber: number): Promise<string> {
  const { jobs } = await owner.get<{ jobs: { jobNumber: number; techStory: string }[] }>(
    `/api/repair-orders/${roNumber}`,
  );
  return jobs.find(({ jobNumber }) => jobNumber === 1)?.techStory ?? '';
}

/** One entry follows another as they were tapped, none is missing, and none is there twice. */
function expectWorked(entries: readonly ClockEntry[], worked: readonly Worked[]): void {
  expect(entries.map(({ roNumber, jobNumber }) => [roNumber, jobNumber])).toEqual(
    worked.map(({ roNumber, jobNumber }) => [roNumber, jobNumber]),
  );
  for (const [place, { begun }] of worked.entries()) {
    const at = Date.parse(entries[place]?.startedAt ?? '');
    if (begun === undefined) continue;
    expect(at, `entry ${place}`).toBeGreaterThanOrEqual(begun.from);
    expect(at, `entry ${place}`).toBeLessThanOrEqual(begun.to);
  }
  for (const [place, entry] of entries.entries()) {
    const next = entries[place + 1];
    if (next === undefined) expect(entry.endedAt).toBeNull();
    else expect(Date.parse(entry.endedAt ?? '')).toBeLessThanOrEqual(Date.parse(next.startedAt));
  }
}

/** What was written of the order's jobs, once each. */
async function expectWrittenOnce(owner: Api): Promise<void> {
  const changesOf = async (roNumber: number) => {
    const history = await owner.get<{ changes: { field: string; to: unknown }[] }[]>(
      `/api/repair-orders/${roNumber}/history`,
    );
    return history.flatMap(({ changes }) => changes);
  };
  expect((await changesOf(BRAKES)).filter(({ to }) => to === NOTED.notes)).toHaveLength(1);
  expect((await changesOf(RATTLE)).filter(({ to }) => to === NOTED_LATER)).toHaveLength(1);
  for (const [roNumber] of STORIES) {
    const story = await storyOf(owner, roNumber);
    expect((await changesOf(roNumber)).filter(({ to }) => to === story)).toHaveLength(1);
  }
}

/** The shop closes and opens again without moving, and the phone, which was not touched, shows what the server has. */
export async function expectAllOnPhone(day: Day, worked: readonly Worked[]): Promise<void> {
  const { dispatch, phone, technician } = day;
  await dispatch.kill();
  dispatch.demo = 'still';
  await dispatch.start();
  const owner = await Api.signIn(dispatch.url, OWNER);
  await phone.isLive();
  await expect(async () => {
    expect(await phone.listed()).toEqual([...new Set(await owner.ordersOf(technician))]);
  }).toPass({ timeout: 120_000 });
  const listed = await phone.listed();
  expect(listed).toEqual(expect.arrayContaining(CARS));
  expect(listed).not.toContain(HANDED_BACK);

  const entries = await entriesOf(owner, technician);
  expectWorked(entries, worked);
  const { running, finishedJobs } = await clockOf(owner, technician);
  expect(running).toMatchObject({ roNumber: NO_START, jobNumber: 1 });
  await expect(phone.clock).toContainText(`RO ${NO_START}, job 1`);
  const finished = finishedJobs.filter(({ roNumber }) => CARS.includes(roNumber));
  const nameOf = (one: { roNumber: number; jobNumber: number }) => `${one.roNumber}/${one.jobNumber}`;
  expect(finished.map(nameOf).sort()).toEqual(FINISHED.map(nameOf).sort());
  for (const { roNumber, jobNumber } of FINISHED) {
    await expect(phone.button(`Reopen job ${jobNumber} of RO ${roNumber}`)).toBeVisible();
  }
  await expectWrittenOnce(owner);

  // The sheet has this week's entries, those that were deleted among them.
  const week = await owner.get<ClockEntry[]>(`/api/technicians/${technician}/clock/entries`);
  await phone.button('Clock entries').click();
  const sheet = phone.page.getByRole('dialog', { name: /^Clock entries of/ });
  await expect(sheet.getByRole('button', { name: /^Propose a correction of/ })).toHaveCount(
    week.filter(({ deleted }) => !deleted).length,
  );
}
