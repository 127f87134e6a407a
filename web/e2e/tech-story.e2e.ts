// Tech stories against the real server: the interview by the built-in interviewer and by a model, whatever becomes of
// it; and what is made of a story afterwards.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from '@playwright/test';
import { DISPLAYED_TIME } from '../src/shop/displayed-time.fixture.ts';
import { expectAccessibleInBothThemes, expectThumbSized } from './accessibility.ts';
import { ADVISOR, expect, OWNER, openDesk, openSignedIn, test } from './desk.ts';
import { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';
import {
  modelReply,
  PROVIDER_KEY,
  type ProviderFormat,
  question,
  StoryProvider,
  techStory,
} from './story-provider.ts';

const TECHNICIAN = 'tech@example.com';
const RO = 987_651;
const CONCERN = 'Customer states rattle from the front left over bumps';
const CAUSE = 'Left front sway bar link worn, ball joint has play';
const NOTES = 'Checked the suspension on the lift, replaced the link, torqued it to 74 Nm';
const SUCCESS = 'Story generated successfully!';
const GENERATING_FAILED = 'Error generating story. Please try again.';
const PROCESSING_FAILED = 'Error processing response. Please try again.';

function bringOrder(dispatch: Dispatch, changes: object = {}): void {
  const operations = [{ operationCode: 'SUSP', operationDesciption: 'Diagnose suspension noise' }];
  dispatch.importFile(
    'orders.json',
    orderFile({
      repairOrderNumber: RO,
      jobs: [{ jobNumber: 1, concern: CONCERN, operations, ...changes }],
    }),
  );
}

/** The dialog's user actions. */
class Interview {
  readonly page: Page;
  readonly dialog: Locator;
  readonly log: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog', { name: 'Tech Story Generation' });
    this.log = this.dialog.getByRole('log', { name: 'Interview' });
  }

  button(name: string | RegExp): Locator {
    return this.dialog.getByRole('button', { name, exact: true });
  }

  /** From the order's details. */
  async open(): Promise<void> {
    await this.page.getByRole('button', { name: 'Tech Story Magic' }).click();
    await expect(this.dialog).toBeVisible();
  }

  async enter(cause = CAUSE, notes = NOTES): Promise<void> {
    await this.dialog.getByRole('textbox', { name: 'Cause' }).fill(cause);
    await this.dialog.getByRole('textbox', { name: 'Brief Tech Notes' }).fill(notes);
  }

  async start(): Promise<void> {
    await this.button('Start Generation').click();
  }

  async asks(number: number): Promise<void> {
    await expect(this.log).toContainText(new RegExp(`Question ${number}( of \\d+)?`));
    await expect(this.button('Yes')).toBeVisible();
  }

  /** Answers in turn until there is a story, and saves it; returns the number of questions. */
  async answerAll(answers: ('Yes' | 'No' | 'N/A')[], from = 1): Promise<number> {
    for (let number = from; ; number++) {
      const review = this.dialog.getByRole('heading', { name: 'Check the story' });
      await expect(review.or(this.log.getByText(new RegExp(`^Question ${number} of`)))).toBeVisible();
      if (await review.isVisible()) {
        await this.save();
        return number - 1;
      }
      const answer = answers[(number - 1) % answers.length] ?? 'Yes';
      const field = this.dialog.getByRole('textbox');
      await this.button(answer).click();
      // A Yes that could be given a value asks for it once.
      if (answer === 'Yes' && (await field.isVisible())) await this.button(answer).click();
    }
  }

  async save(): Promise<void> {
    await this.button('Save story').click();
    await expect(this.dialog.getByText(SUCCESS)).toBeVisible();
  }
}

async function openDetails(browser: Browser, at: { url: string }, email: string): Promise<Page> {
  const desk = await openDesk(browser, at, email);
  await desk.find(String(RO));
  await desk.link(String(RO)).click();
  await expect(desk.details(String(RO))).toContainText(CONCERN);
  return desk.page;
}

async function openPortalDetails(browser: Browser, at: { url: string }): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await openSignedIn(page, at, TECHNICIAN);
  await expect(page.getByRole('region', { name: 'Job clock' })).toBeVisible();
  const id = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]);
  const owner = await Api.signIn(at.url, OWNER);
  await owner.post('/api/repair-orders/technicians/assign', { repairOrderNumber: RO, idTechnician: id });
  await page
    .getByRole('button', { name: /^Got it/ })
    .first()
    .click();
  await page.getByRole('link', { name: `Open repair order ${RO}`, exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText(CONCERN);
  return page;
}

/** The job's story as the server has it. */
async function storyAt(dispatch: Dispatch): Promise<string> {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const { jobs } = await owner.get<{ jobs: { techStory: string }[] }>(`/api/repair-orders/${RO}`);
  return jobs[0]?.techStory ?? '';
}

test('a story made by the built-in interviewer appears on every screen at once', async ({
  browser,
  dispatch,
}) => {
  bringOrder(dispatch);
  const page = await openDetails(browser, dispatch, OWNER);
  const other = await openDetails(browser, dispatch, ADVISOR);
  const portal = await openPortalDetails(browser, dispatch);
  for (const screen of [page, other, portal]) {
    await expect(screen.getByText('No technician story available yet')).toBeVisible();
  }

  const interview = new Interview(page);
  await interview.open();
  await expect(interview.dialog).toContainText(CONCERN);
  await expect(
    interview.dialog.getByText('Built-in interviewer: works from your entries and answers alone'),
  ).toBeVisible();
  await interview.dialog.getByRole('textbox', { name: 'Cause' }).fill('   ');
  await interview.start();
  await expect(interview.dialog.getByRole('alert')).toHaveText(
    'Please fill in both Cause and Brief Tech Notes',
  );
  await interview.enter();
  await interview.start();
  expect(await interview.answerAll(['Yes', 'No', 'N/A'])).toBeGreaterThanOrEqual(4);
  await expect(interview.dialog).toBeHidden();

  const story = await storyAt(dispatch);
  for (const section of ['Complaint', 'Cause', 'Correction']) {
    expect(story).toMatch(new RegExp(`^${section}`, 'm'));
  }
  for (const entered of ['sway bar link', '74 Nm']) expect(story).toContain(entered);
  for (const screen of [page, other, portal]) {
    await expect(screen.getByText(/Left front sway bar link worn/).first()).toBeVisible();
    await expect(screen.getByText(/^Interview by the built-in interviewer, /)).toBeVisible();
  }
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByText('Interview by the built-in interviewer')).toBeVisible();

  await page.getByRole('button', { name: 'Claim sheet of job 1' }).click();
  const sheet = page.getByRole('dialog', { name: `Claim sheet: repair order ${RO}, job 1` });
  for (const [label, text] of [
    ['Causal part', /sway bar link/],
    ['Operation', /^SUSP Diagnose suspension noise$/],
    ['VIN', /^[A-Z0-9]{17}$/],
  ] as const) {
    await expect(sheet.locator('dt', { hasText: label }).locator('+ dd')).toHaveText(text);
  }
  await expectAccessibleInBothThemes(page, 'the claim sheet');
  // Printed, it stands alone.
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(page.locator('.claim-print')).toBeVisible();
  await expect(page.locator('#root')).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  const download = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'JSON file' }).click();
  expect((await download).suggestedFilename()).toBe(`claim-${RO}-1.json`);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  // Reopened, the dialog is empty.
  await interview.open();
  await expect(interview.dialog.getByRole('textbox', { name: 'Cause' })).toHaveValue('');
  await expect(interview.log).toHaveCount(0);
});

test('each answer in the portal has one key, which its button names', async ({ browser, dispatch }) => {
  bringOrder(dispatch);
  const page = await openPortalDetails(browser, dispatch);
  const interview = new Interview(page);
  await interview.open();
  await interview.enter();
  // In the field these keys type letters.
  await page.keyboard.press('Control+Enter');
  for (const [place, [key, answer]] of (
    [
      ['y', 'Yes'],
      ['n', 'No'],
      ['a', 'N/A'],
    ] as const
  ).entries()) {
    await interview.asks(place + 1);
    await page.keyboard.press(key);
    await expect(interview.log.getByText(`Your answer: ${answer}`).last()).toBeVisible();
  }
  // The last answer is taken back, and given otherwise.
  await interview.asks(4);
  await page.keyboard.press('Backspace');
  await expect(interview.log).not.toContainText('Question 4');
  await interview.asks(3);
  await page.keyboard.press('n');
  await interview.asks(4);
  await interview.answerAll(['No'], 4);
  const owner = await Api.signIn(dispatch.url, OWNER);
  const [version] = await owner.get<{ answers: { answer: string }[] }[]>(
    `/api/repair-orders/${RO}/jobs/1/stories`,
  );
  expect(version?.answers.slice(0, 4).map(({ answer }) => answer)).toEqual(['Yes', 'No', 'No', 'No']);
});

test('an interview resumes after a reload unless it was ended', async ({ browser, dispatch }) => {
  bringOrder(dispatch);
  const page = await openDetails(browser, dispatch, OWNER);
  const interview = new Interview(page);
  await interview.open();
  await interview.enter();
  await interview.start();
  await interview.asks(1);
  await interview.button('No').click();
  await interview.asks(2);
  const questionText = await interview.log.innerText();

  await page.reload();
  await interview.open();
  await interview.button(new RegExp(`^Continue the interview of ${DISPLAYED_TIME}`)).click();
  await interview.asks(2);
  await expect.poll(() => interview.log.innerText()).toBe(questionText);
  await expect(interview.dialog).toContainText(CAUSE);

  await interview.button('End interview').click();
  await expect(interview.dialog.getByRole('textbox', { name: 'Cause' })).toHaveValue(CAUSE);
  await page.reload();
  const found = page.waitForResponse((answer) => answer.url().includes('/api/tech-stories/open'));
  await interview.open();
  await found;
  await expect(interview.button('Start Generation')).toBeVisible();
  await expect(interview.dialog.getByRole('textbox', { name: 'Cause' })).toHaveValue(CAUSE);
  await expect(interview.button(/^Continue the interview/)).toHaveCount(0);
});

test('a story is edited by hand, and an older version is restored', async ({ browser, dispatch }) => {
  bringOrder(dispatch, { techStory: 'As it came.' });
  const page = await openDetails(browser, dispatch, OWNER);
  const other = await openDetails(browser, dispatch, ADVISOR);
  await expect(page.getByText(/^Came with the repair order, /)).toBeVisible();
  await page.getByRole('button', { name: /^(Edit the story|Write by hand: story) of job 1$/ }).click();
  const field = page.getByRole('textbox', { name: 'Story of job 1' });
  await field.fill('As it was written.');
  // Another change of the order does not block it.
  const advisor = await Api.signIn(dispatch.url, ADVISOR);
  await advisor.post('/api/repair-orders/update-status', {
    data: [{ repairOrderNumber: String(RO), idStatus: '13' }],
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Story of job 1 saved', { exact: true })).toBeVisible();
  for (const screen of [page, other]) {
    await expect(screen.getByText('As it was written.', { exact: true }).first()).toBeVisible();
    await expect(screen.getByText(/^Edited by hand, /)).toBeVisible();
  }

  await page.getByRole('button', { name: 'Versions of the story of job 1' }).click();
  const versions = page.getByRole('dialog', { name: 'Versions of the story, job 1' });
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await versions.getByRole('button', { name: /^Restore the version of/ }).click();
  await expect(page.getByText('Story of job 1 restored', { exact: true })).toBeVisible();
  await expect(versions.getByRole('listitem')).toHaveCount(3);
  await expect(versions.getByRole('listitem').first()).toContainText(/Restored,.*Current.*As it came\./s);
  await expect(other.getByText('As it came.', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(other.getByText('As it was written.', { exact: true }).first()).toBeVisible();
  await expect.poll(() => storyAt(dispatch)).toBe('As it was written.');
});

interface ModelTest {
  dispatch: Dispatch;
  provider: StoryProvider;
}

/** A server whose interviewer is a model at the test's own provider. */
async function withModel(
  binary: string,
  format: ProviderFormat,
  run: (modelTest: ModelTest) => Promise<void>,
  timeoutSeconds = 4,
): Promise<void> {
  const provider = await StoryProvider.start(format);
  const folder = mkdtempSync(join(tmpdir(), 'dispatch-key-'));
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, PROVIDER_KEY, { mode: 0o600 });
  const model = format === 'gemini' ? 'gemini-2.5-flash' : 'local-model';
  const options = [
    ...['--story-provider', format],
    ...['--story-model', model],
    ...['--story-url', provider.url],
    ...['--story-key-file', keyFile],
    ...['--story-timeout', String(timeoutSeconds)],
  ];
  const dispatch = new Dispatch(binary, options);
  try {
    await dispatch.start();
    await run({ dispatch, provider });
  } finally {
    await dispatch.discard();
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing sent to the page may contain the key. */
function watchForKey(page: Page): () => Promise<void> {
  const bodies: Promise<string>[] = [];
  page.on('response', (answer) => {
    bodies.push(answer.text().catch(() => ''));
  });
  return async () => {
    for (const body of await Promise.all(bodies)) expect(body.includes(PROVIDER_KEY)).toBe(false);
    expect((await page.content()).includes(PROVIDER_KEY)).toBe(false);
  };
}

const STORY = `Complaint
${CONCERN}.

Cause
${CAUSE}.

Correction
${NOTES}.`;

for (const format of ['gemini', 'openai'] as const) {
  test(`whatever goes wrong with a model in the format of ${format} is shown and can be retried`, async ({
    browser,
    binary,
  }) => {
    await withModel(binary, format, async ({ dispatch, provider }) => {
      bringOrder(dispatch);
      const page = await openDetails(browser, dispatch, OWNER);
      const hasNoKey = watchForKey(page);
      const interview = new Interview(page);
      const builtIn = interview.button('Use the built-in interviewer');
      await interview.open();
      const name = format === 'gemini' ? /gemini-2\.5-flash/ : /local-model/;
      await expect(interview.dialog.getByRole('radio', { name })).toBeChecked();
      await interview.enter();

      // Fenced, as models often reply.
      provider.behave(modelReply('```json\n{"type":"question","content":"Was it verified?"}\n```'));
      await interview.start();
      await expect(interview.log).toContainText('Was it verified?');
      const [first] = provider.requests;
      expect(first?.key).toBe(PROVIDER_KEY);
      expect(first?.path).not.toContain(PROVIDER_KEY);
      for (const expectedText of [
        CONCERN,
        CAUSE,
        NOTES,
        'SUSP',
        'Diagnose suspension noise',
        'Honda',
        'Accord',
      ]) {
        expect(first?.prompt).toContain(expectedText);
      }

      /** The previous requests are done by the time the model is asked. */
      const asksAgain = async (button: string) => {
        const before = provider.requests.length;
        await interview.button(button).click();
        await expect.poll(() => provider.requests.length).toBeGreaterThan(before);
      };
      for (const [what, ...behaviours] of [
        ['prose', modelReply('Certainly! Here is what I would ask the customer.')],
        ['a type that nobody knows', modelReply({ type: 'essay', content: 'Once upon a time' })],
        ['a reply without an end', { kind: 'is cut short', text: '{"type":"question","content":"Was' }],
      ] as const) {
        await test.step(what, async () => {
          provider.behave(...behaviours);
          await asksAgain(what === 'prose' ? 'Yes' : 'Try again');
          await expect(interview.log.getByText(PROCESSING_FAILED, { exact: true })).toBeVisible();
        });
      }
      for (const [what, ...behaviours] of [
        ['an error of its own', { kind: 'refuses', status: 500, message: 'Internal' }],
        ['a key that it refuses', { kind: 'refuses', status: 403, message: `Bad key ${PROVIDER_KEY}` }],
        ['a connection that breaks off', { kind: 'breaks off', text: '{"type":"question","con' }],
        ['silence', { kind: 'hangs' }],
      ] as const) {
        await test.step(what, async () => {
          provider.behave(...behaviours);
          await asksAgain('Try again');
          await expect(interview.log.getByText(GENERATING_FAILED, { exact: true })).toBeVisible();
          await expect(builtIn).toBeVisible();
        });
      }
      await test.step('too many requests, and then an answer', async () => {
        const busy = { kind: 'refuses', status: 429, message: 'Slow down' } as const;
        provider.behave(busy, question('Was it road-tested?'));
        await interview.button('Try again').click();
        await expect(interview.log).toContainText('Was it road-tested?');
        await expect(interview.log).toContainText(/Was it verified\?.*Yes/s);
      });
      provider.behave(techStory(STORY));
      await expect(interview.button('Yes')).toBeVisible();
      await page.keyboard.press('y');
      await interview.save();
      await expect(interview.dialog).toBeHidden();
      await expect.poll(() => storyAt(dispatch)).toBe(STORY);
      await expect(page.getByText(new RegExp(`^Interview by ${name.source}, `))).toBeVisible();
      const last = provider.requests.at(-1);
      for (const expectedText of ['Was it verified?', 'Was it road-tested?', 'Yes']) {
        expect(last?.prompt).toContain(expectedText);
      }
      await hasNoKey();
    });
  });
}

test('when a model is down the built-in interviewer takes over with the texts already entered', async ({
  browser,
  binary,
}) => {
  await withModel(binary, 'gemini', async ({ dispatch, provider }) => {
    bringOrder(dispatch);
    const page = await openDetails(browser, dispatch, OWNER);
    const interview = new Interview(page);
    await interview.open();
    await interview.enter();
    provider.behave({ kind: 'refuses', status: 400, message: 'API key not valid.' });
    await interview.start();
    await expect(interview.log.getByText(GENERATING_FAILED, { exact: true })).toBeVisible();
    await interview.button('Use the built-in interviewer').click();
    await expect(
      interview.dialog.getByText('Built-in interviewer: works from your entries and answers alone'),
    ).toBeVisible();
    await interview.answerAll(['Yes']);
    await expect.poll(() => storyAt(dispatch)).toContain('sway bar link');
  });
});

test('the user can stop a story while the model is still generating it', async ({ browser, binary }) => {
  await withModel(binary, 'gemini', async ({ dispatch, provider }) => {
    bringOrder(dispatch);
    const page = await openDetails(browser, dispatch, OWNER);
    const interview = new Interview(page);
    await interview.open();
    await interview.enter();
    provider.behave(question('Was it verified?'), { kind: 'hangs' });
    await interview.start();
    await expect(interview.log).toContainText('Was it verified?');
    // The keys answer as soon as the buttons are there, which the question's text may be before.
    await expect(interview.button('No')).toBeVisible();
    await page.keyboard.press('n');
    await expect(interview.dialog.getByText('Generating...')).toBeVisible();
    await interview.button('Cancel').click();
    await expect(interview.button('Yes')).toBeVisible();
    provider.behave(techStory(STORY));
    await page.keyboard.press('y');
    await interview.save();
  });
});

test('facts that a model made up are confirmed or removed before the story is saved', async ({
  browser,
  binary,
}) => {
  await withModel(binary, 'gemini', async ({ dispatch, provider }) => {
    bringOrder(dispatch);
    const page = await openDetails(browser, dispatch, OWNER);
    const interview = new Interview(page);
    await interview.open();
    await interview.enter();
    provider.behave(techStory(`${STORY} Code P0301 was stored. The part number is 48820-AB012.`));
    await interview.start();
    await expect(interview.dialog.getByRole('heading', { name: 'Check the story' })).toBeVisible();
    const marks = interview.dialog.locator('mark');
    await expect(marks).toHaveText(['P0301', '48820-AB012']);
    expect(await storyAt(dispatch)).toBe('');
    await interview.button('Save story').click();
    await expect(interview.dialog.getByRole('alert')).toHaveText('2 left to confirm');

    await interview.button(/^This is right\s*: 48820-AB012$/).click();
    await interview.button('Edit the story').click();
    const field = interview.dialog.getByRole('textbox', { name: 'The story' });
    const text = await field.inputValue();
    await field.fill(text.replace(' Code P0301 was stored.', ' It was driven 17 miles.'));
    await interview.button('Done').click();
    await expect(interview.dialog.getByText('No longer in the story')).toBeVisible();
    await interview.button('Save story').click();
    // What was written in its place stands in none of the inputs either.
    await interview.button(/^This is right\s*: 17/).click();
    await interview.button('Save story').click();
    await expect(interview.dialog.getByText(SUCCESS)).toBeVisible();
    await expect
      .poll(() => storyAt(dispatch))
      .toContain('It was driven 17 miles. The part number is 48820-AB012.');
    await expect(page.getByText(/^Interview by gemini-2\.5-flash, edited by hand, /)).toBeVisible();
  });
});

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const wide = { viewport: { width: 1440, height: 900 } };

for (const screen of [wide, phone]) {
  test(`no accessibility rule is broken by a story, ${screen.viewport.width} px wide`, async ({
    browser,
    binary,
  }) => {
    await withModel(
      binary,
      'gemini',
      async ({ dispatch, provider }) => {
        bringOrder(dispatch, { techStory: 'As it came.' });
        const context = await browser.newContext({
          ...screen,
          colorScheme: 'light',
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        // The list behind it is checked by tests of its own, and a short one faster.
        await openSignedIn(page, dispatch, OWNER, `/dashboard?q=${RO}&ro=${RO}`);
        const interview = new Interview(page);
        const magic = page.getByRole('button', { name: 'Tech Story Magic' });
        await expect(magic).toBeVisible();
        const sound = async (state: string) => {
          await expectAccessibleInBothThemes(page, state);
          // Behind them is a desk, which is made for a mouse.
          if (screen === phone) await expectThumbSized(page, '[role="dialog"] button');
          const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
          expect(scrollWidth, state).toBe(clientWidth);
        };
        await expect(page.getByText(/^Came with the repair order, /)).toBeVisible();
        await sound('details');
        await page.getByRole('button', { name: /^(Edit the story|Write by hand: story) of job 1$/ }).click();
        await page.getByRole('textbox', { name: 'Story of job 1' }).fill('Written.');
        await sound('editor');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await expect(page.getByText(/^Edited by hand, /)).toBeVisible();
        await page.getByRole('button', { name: 'Versions of the story of job 1' }).click();
        await expect(page.getByRole('button', { name: /^Restore the version of/ })).toBeVisible();
        await sound('versions');
        await page.keyboard.press('Escape');

        await interview.open();
        await expect(interview.dialog.getByRole('radio')).toHaveCount(2);
        await sound('entering');
        await interview.start();
        await expect(interview.dialog.getByRole('alert')).not.toBeEmpty();
        await sound('entries missing');
        await interview.enter();
        provider.behave(question('Was it verified?'));
        await interview.start();
        await expect(interview.log).toContainText('Was it verified?');
        await sound('asking');
        if (screen === phone) await expect(interview.button('Yes')).toBeInViewport({ ratio: 1 });
        provider.behave({ kind: 'refuses', status: 403, message: 'No' });
        await interview.button('N/A').click();
        await expect(interview.log.getByText(GENERATING_FAILED, { exact: true })).toBeVisible();
        await sound('failed');
        provider.behave({ kind: 'hangs' });
        await interview.button('Try again').click();
        await expect(interview.dialog.getByText('Generating...')).toBeVisible();
        await sound('generating');
        await interview.button('Cancel').click();
        provider.behave(techStory(`${STORY} Code P0301 was stored.`));
        await interview.button('Yes').click();
        await expect(interview.dialog.locator('mark')).toHaveText('P0301');
        await interview.button('Save story').click();
        await expect(interview.dialog.getByRole('alert')).not.toBeEmpty();
        await sound('reviewing');
        await interview.button('Edit the story').click();
        await sound('reviewing, edited');
        // Out of the field, then out of the dialog.
        await page.keyboard.press('Escape');
        await expect(interview.dialog.getByRole('textbox', { name: 'The story' })).toHaveCount(0);
        await page.keyboard.press('Escape');
        await expect(interview.dialog).toBeHidden();
        await interview.open();
        await expect(interview.button(/^Continue the interview/)).toBeVisible();
        await sound('one to be continued');
        // While it is looked at, the model is waited for.
      },
      60,
    );
  });
}
