// The control that changes an order's status, and its picker.
import { ADVISOR, expect, OWNER, openDesk, settled, test } from './desk.ts';

/** px; what must be left below the picker. */
const SPARE = 40;

test('picking another status sends it at once; picking the same one sends nothing', async ({
  browser,
  gateway,
}) => {
  const desk = await openDesk(browser, gateway, ADVISOR);
  const order = await desk.firstWith('Waiting');
  await desk.find(order);
  const sent = desk.requests(/^POST /);
  const control = desk.status(order);
  const picker = desk.picker('Change status of RO', order);
  await control.click();
  await expect(picker.getByRole('option')).toHaveText(['Waiting', 'Drop', 'PDI', 'Used']);
  await expect(picker.getByRole('option', { selected: true })).toHaveText('Waiting');
  await picker.getByRole('option', { name: 'Waiting' }).click();
  await expect(picker).toBeHidden();
  await expect(control).toBeEnabled();

  for (const status of ['Used', 'Drop', 'PDI', 'Waiting']) {
    gateway.hold((_, path) => path.endsWith('/update-status'));
    await desk.pickStatus(order, status);
    await expect(picker).toBeHidden();
    await expect(control).toHaveText('Updating...');
    await expect(control).toBeDisabled();
    gateway.release();
    await expect(control).toHaveText(status);
    // The focus that the disabled control lost comes back to it.
    await expect(control).toBeFocused();
    await desk.says(
      `Status updated to ${status} and priority set to ${status === 'Waiting' ? 'Waiting' : 'Low'}`,
    );
  }
  // The four, and nothing for the one that was set already.
  expect(sent).toEqual(Array(4).fill('POST /api/repair-orders/update-status'));
});

test('the picker closes when a change of the order starts anywhere on the page', async ({
  browser,
  gateway,
}) => {
  const desk = await openDesk(browser, gateway, ADVISOR);
  const order = await desk.firstWith('Drop');
  await desk.find(order);
  const picker = desk.picker('Change status of RO', order);
  await desk.status(order).click();
  await expect(picker).toBeVisible();
  gateway.hold((_, path) => path.endsWith('/update-status'));
  await desk.command(`${order} status PDI`);
  await expect(desk.status(order)).toBeDisabled();
  await expect(picker).toHaveCount(0);
  gateway.release();
  await expect(desk.status(order)).toHaveText('PDI');
  await expect(picker).toHaveCount(0);
});

test('the picker opens upward when there is little room below it, and closes by Escape and a click outside', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const { page } = desk;
  const order = (await desk.top())[2] ?? '';
  const control = desk.status(order);
  const picker = desk.picker('Change status of RO', order);
  const boxes = async () => {
    const [ofControl, ofPicker] = [await control.boundingBox(), await picker.boundingBox()];
    if (ofControl === null || ofPicker === null) throw new Error('the picker is not on screen');
    return { control: ofControl, picker: ofPicker };
  };
  await control.click();
  await expect(picker).toBeVisible();
  const { control: at, picker: open } = await settled(boxes);
  await page.keyboard.press('Escape');
  await expect(picker).toBeHidden();
  await expect(control).toBeFocused();

  const bottom = Math.ceil(at.y + at.height);
  for (const [room, way] of [
    [open.height + SPARE + 3, 'down'],
    [open.height + SPARE - 3, 'up'],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: Math.ceil(bottom + room) });
    await control.click();
    await expect(picker).toBeVisible();
    const now = await settled(boxes);
    if (way === 'down') expect(now.picker.y).toBeGreaterThanOrEqual(now.control.y + now.control.height);
    else expect(now.picker.y + now.picker.height).toBeLessThanOrEqual(now.control.y);
    await page.getByRole('textbox', { name: 'Search repair orders' }).click();
    await expect(picker).toBeHidden();
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  // All ways round, and never out of it.
  await control.click();
  await expect(picker).toBeVisible();
  const items = await picker.getByRole('option').allInnerTexts();
  const active = () =>
    page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
      return document.getElementById(id)?.innerText ?? '';
    });
  await expect.poll(async () => items.indexOf(await active())).toBeGreaterThanOrEqual(0);
  const from = items.indexOf(await active());
  for (const [key, step] of [
    ['ArrowDown', 1],
    ['Tab', 1],
    ['ArrowUp', -1],
    ['Shift+Tab', -1],
  ] as const) {
    for (let pressed = 1; pressed <= items.length; pressed++) {
      await page.keyboard.press(key);
      await expect.poll(active, key).toBe(items.at((from + step * pressed) % items.length));
    }
  }
  await page.keyboard.press('Escape');
  await expect(control).toBeFocused();
  await expect(control).toHaveText(items[from] ?? '');
});

test('an open picker stays in place while the rows around it are waiting to move', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const [first = '', second = '', third = '', fourth = ''] = await desk.top();
  const control = desk.status(third);
  await control.click();
  const picker = desk.picker('Change status of RO', third);
  await expect(picker).toBeVisible();
  const boxes = async () => [await control.boundingBox(), await picker.boundingBox()];
  const before = await settled(boxes);
  // Whatever else holds the rows: the pointer is elsewhere.
  await desk.page.mouse.move(700, 20);

  await owner.find(first);
  await owner.pickStatus(first, 'PDI');
  await owner.find(fourth);
  await owner.pickStatus(fourth, 'PDI');
  await expect(desk.page.getByText('List has changed')).toBeVisible();
  await expect(desk.page.getByText('2 moved', { exact: true })).toBeVisible();
  await expect(desk.status(fourth)).toHaveText('PDI');
  expect(await boxes()).toEqual(before);

  // 'Show now' is at hand while rows are held; with it nothing waits any more.
  await desk.page.keyboard.press('Escape');
  await desk.row(second).hover();
  await expect(desk.page.getByText('List has changed')).toBeVisible();
  await desk.page.getByRole('button', { name: 'Show now' }).click();
  await expect(desk.page.getByText('List has changed')).toBeHidden();
  expect((await desk.top()).slice(0, 2)).toEqual([second, third]);
  await expect(desk.page.getByText(/^\d+ moved$/)).toBeHidden();
});
