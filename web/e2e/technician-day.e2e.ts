// A technician's day on the phone, while the demo shop goes on by itself: yesterday's forgotten clock, twelve cars, twenty
// minutes without a network, jobs that a colleague shares, and four stories. In the end the portal shows what the server
// has: nothing was lost, and nothing was done twice.
import { TECHNICIAN } from './bay.ts';
import { clockOf, entriesOf, HOUR_MS, MINUTE_MS, tapAgo } from './clock-records.ts';
import { expect, test } from './desk.ts';
import { MIDDAY_SHOP } from './midday.ts';
import { Phone } from './phone.ts';
import { makeStory } from './phone-interview.ts';
import {
  ACCEPTED,
  BRAKES,
  beginDay,
  CARS,
  type Day,
  HANDED_BACK,
  IN_THE_MORNING,
  LEAK,
  NO_START,
  NOTED,
  NOTED_LATER,
  RATTLE,
  STORIES,
} from './technician-day.ts';
import {
  expectAllOnPhone,
  expectSplitByClockedTime,
  soldToday,
  storyOf,
  type Worked,
} from './technician-day-results.ts';

test.setTimeout(900_000);
test.use({ demo: 'moving', serveOptions: MIDDAY_SHOP });

/** The technician says when they stopped, and the owner accepts it. */
async function answerForgottenClock({ phone, desk, dispatch, owner, technician }: Day): Promise<void> {
  const question = phone.page.getByRole('dialog', { name: 'When did you stop?' });
  await expect(question).toContainText(`on RO ${NO_START}, job 1`);
  await question.getByRole('button', { name: 'Clock out' }).click();
  await expect(question).toBeHidden();
  await expect(phone.clock).toContainText('Off the clock');

  await desk.page.goto(`${dispatch.url}/technicians/${technician}`);
  const proposed = desk.page.getByText('1 correction of this clock is proposed.').locator('..');
  await proposed.getByRole('button', { name: 'Review' }).click();
  const entries = desk.page.getByRole('dialog', { name: /^Clock entries of/ });
  const entry = entries.getByRole('listitem').filter({ hasText: 'Forgot to clock out' });
  await entry.getByRole('button', { name: 'Accept' }).click();
  await expect(desk.page.getByText(/correction of this clock is proposed/)).toBeHidden();
  const [corrected, ...others] = await entriesOf(owner, technician);
  expect(others).toEqual([]);
  expect(corrected).toMatchObject({ roNumber: NO_START, jobNumber: 1, forgotten: false });
  const lasted = Date.parse(corrected?.endedAt ?? '') - Date.parse(corrected?.startedAt ?? '');
  expect(Math.abs(lasted - 8 * HOUR_MS)).toBeLessThanOrEqual(MINUTE_MS);
  await expect(phone.page.getByText(/clocks? of this week (was|were) forgotten/)).toBeHidden();
  await desk.page.goto(`${dispatch.url}/dashboard`);
  await desk.isLive();
}

/** What came in the morning is accepted at once; of two cars that come now one is accepted, and one handed back. */
async function takeCars({ phone, desk, owner, technician }: Day): Promise<void> {
  const isAccepted = async (roNumber: number) =>
    (await owner.receipt(technician, roNumber))?.acceptedAt != null;
  await expect(async () => {
    await phone.banner
      .getByRole('button', { name: /^Got it/ })
      .last()
      .click({ timeout: 5_000 });
    await expect(phone.assignment(BRAKES)).toBeHidden({ timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
  for (const roNumber of IN_THE_MORNING) await expect.poll(() => isAccepted(roNumber)).toBe(true);

  for (const repairOrderNumber of [ACCEPTED, HANDED_BACK]) {
    await owner.post('/api/repair-orders/technicians/assign', {
      repairOrderNumber,
      idTechnician: technician,
    });
  }
  await expect(phone.assignment(ACCEPTED)).toContainText('ACREC The air conditioning blows warm');
  await expect(phone.assignment(HANDED_BACK)).toContainText('TRNS Shifts hard into second gear');
  await phone.accept(ACCEPTED);
  await phone.handBack(HANDED_BACK, 'Parts are missing');
  await expect.poll(() => isAccepted(ACCEPTED)).toBe(true);
  await expect
    .poll(async () => (await owner.receipt(technician, HANDED_BACK))?.reason)
    .toBe('Parts are missing');

  await desk.find(String(HANDED_BACK));
  const cell = await desk.cell(String(HANDED_BACK), 'Assignment');
  await expect(cell.getByText('Handed back')).toBeVisible();
  await expect(cell.getByRole('img')).toHaveAccessibleName(/: Parts are missing$/);
  for (const roNumber of CARS) await expect(phone.order(roNumber).first()).toBeAttached();
}

/** Twenty minutes in the basement: what is tapped and written there arrives afterwards, in order and with its times. */
async function workWithoutNetwork({ phone, owner, technician, colleague }: Day): Promise<Worked[]> {
  // The colleague has been on both shared jobs by the time that the technician is back.
  const tapOfColleague = (minutes: number, action: string, roNumber: number) =>
    tapAgo(owner, colleague, minutes, { action, roNumber, jobNumber: 1 });
  await tapOfColleague(55, 'start', RATTLE);
  await tapOfColleague(45, 'start', LEAK);
  await tapOfColleague(30, 'stop', LEAK);
  await tapAgo(owner, colleague, 29, { action: 'clock-out' });

  const waiting = phone.page.getByText(/changes? waits? for the connection/);
  await phone.loseNetwork(20, [BRAKES, RATTLE]);
  await owner.post('/api/repair-orders/update-status', {
    data: [{ repairOrderNumber: String(NO_START), idStatus: '13' }],
  });
  const clockedIn = await phone.tapClock('Clock in');
  await expect(phone.clock).toContainText('On the clock, no job');
  await expect(waiting).toHaveText('1 change waits for the connection');
  await phone.passMinutes(1);
  const brakes = await phone.startJob(BRAKES, 1);
  await phone.passMinutes(3);
  await phone.writeNotes(BRAKES, 1, NOTED.cause, NOTED.notes);
  await phone.passMinutes(4);
  const brakesDone = await phone.finishJob(BRAKES, 1);
  const rattle = await phone.startJob(RATTLE, 1);
  await phone.passMinutes(5);
  await phone.writeNotes(RATTLE, 1, 'Sway bar link worn', NOTED_LATER);
  const rattleDone = await phone.finishJob(RATTLE, 1);
  await phone.passMinutes(2);
  const leak = await phone.startJob(LEAK, 1);
  await expect(waiting).toHaveText('8 changes wait for the connection');
  expect(phone.answered).toEqual([]);
  await phone.passMinutes(5);

  await phone.findNetwork();
  await expect(waiting).toBeHidden();
  await phone.isLive();
  await expect(phone.page.getByText(/^Refused:/)).toHaveCount(0);
  // What the desk changed meanwhile is there, too.
  await expect(phone.button(`Status of RO ${NO_START}: PDI`)).toBeVisible();
  expect(phone.answered.map((request) => new URL(request.url()).pathname)).toEqual([
    ...Array(2).fill(`/api/technicians/${technician}/clock`),
    `/api/repair-orders/${BRAKES}/jobs/1`,
    ...Array(2).fill(`/api/technicians/${technician}/clock`),
    `/api/repair-orders/${RATTLE}/jobs/1`,
    ...Array(2).fill(`/api/technicians/${technician}/clock`),
  ]);
  await expect.poll(() => owner.jobText(BRAKES, 1)).toEqual([NOTED.cause, NOTED.notes]);
  await expect.poll(() => owner.jobText(RATTLE, 1)).toEqual(['Sway bar link worn', NOTED_LATER]);
  return [
    { roNumber: NO_START, jobNumber: 1 },
    { roNumber: null, jobNumber: null, begun: clockedIn },
    { roNumber: BRAKES, jobNumber: 1, begun: brakes },
    { roNumber: null, jobNumber: null, begun: brakesDone },
    { roNumber: RATTLE, jobNumber: 1, begun: rattle },
    { roNumber: null, jobNumber: null, begun: rattleDone },
    { roNumber: LEAK, jobNumber: 1, begun: leak },
  ];
}

/** The rest of the day, with a network: jobs are started, stopped and finished, and there is a break. */
async function workWithNetwork({ phone, owner, technician }: Day): Promise<Worked[]> {
  await phone.finishJob(LEAK, 1);
  await phone.startJob(NO_START, 1);
  await phone.tapClock('Stop');
  await expect(phone.clock).toContainText('On the clock, no job');
  await phone.tapClock('Clock out');
  await expect(phone.clock).toContainText('Off the clock');
  await phone.tapClock('Clock in');
  await expect(phone.clock).toContainText('On the clock, no job');
  await phone.startJob(BRAKES, 2);
  await phone.finishJob(BRAKES, 2);
  await phone.startJob(NO_START, 1);
  // The phone shows a tap before the server has it.
  await expect
    .poll(() => clockOf(owner, technician))
    .toMatchObject({
      running: { roNumber: NO_START, jobNumber: 1 },
      finishedJobs: expect.arrayContaining([expect.objectContaining({ roNumber: BRAKES, jobNumber: 2 })]),
    });
  const idle: Worked = { roNumber: null, jobNumber: null };
  const noStart: Worked = { roNumber: NO_START, jobNumber: 1 };
  return [idle, noStart, idle, idle, { roNumber: BRAKES, jobNumber: 2 }, idle, noStart];
}

interface KeptStory {
  current: boolean;
  answers: { answer: string }[];
}

/** Made on the phone; then they stand in the order's details on phone and desk, and on the claim sheet. */
async function writeStories({ phone, desk, owner }: Day): Promise<void> {
  const { page } = phone;
  for (const [roNumber, entries] of STORIES) {
    const details = await phone.openDetails(roNumber);
    const answers = await makeStory(page, details, entries, ['Yes', 'No', 'Yes', 'N/A']);
    expect(answers.length).toBeGreaterThanOrEqual(3);
    const story = await storyOf(owner, roNumber);
    for (const section of ['Complaint', 'Cause', 'Correction']) {
      expect(story).toMatch(new RegExp(`^${section}`, 'm'));
    }
    const lines = story.split('\n').filter((line) => line !== '');
    for (const line of lines) await expect(details).toContainText(line);
    const versions = await owner.get<KeptStory[]>(`/api/repair-orders/${roNumber}/jobs/1/stories`);
    expect(versions.map(({ current }) => current)).toEqual([true]);
    expect(versions[0]?.answers.map(({ answer }) => answer)).toEqual(answers);

    await details.getByRole('button', { name: 'Claim sheet of job 1' }).click();
    const sheet = page.getByRole('dialog', { name: `Claim sheet: repair order ${roNumber}, job 1` });
    for (const line of lines) await expect(sheet).toContainText(line);
    await sheet.getByRole('button', { name: 'Close', exact: true }).click();
    await phone.closeDetails(details);

    await desk.find(String(roNumber));
    await desk.link(String(roNumber)).click();
    for (const line of lines) await expect(desk.details(String(roNumber))).toContainText(line);
    await desk.page.goBack();
  }
}

test('a technician works a day on the phone, twenty minutes of it without a network, and nothing is lost or done twice', async ({
  browser,
  dispatch,
  gateway,
}) => {
  const day = await beginDay(browser, dispatch, () => Phone.signIn(browser, gateway, TECHNICIAN));
  await test.step("yesterday's clock was forgotten", () => answerForgottenClock(day));
  await test.step('cars come', () => takeCars(day));
  const before = await soldToday(day);
  const worked = await test.step('work without a network', () => workWithoutNetwork(day));
  worked.push(...(await test.step('work with a network', () => workWithNetwork(day))));
  await test.step('shared jobs are split', () => expectSplitByClockedTime(day, before));
  await test.step('four stories', () => writeStories(day));
  await test.step('the end of the day', () => expectAllOnPhone(day, worked));
});
