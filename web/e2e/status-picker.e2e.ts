// The control that changes an order's status, and its menu.
import { ADVISOR, expect, OWNER, openDesk, test } from './desk.ts';

/** px; four items of 34, and what must be left below them. */
const MENU = 136;
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
  const menu = desk.page.getByRole('menu');
  await control.click();
  await expect(menu.getByRole('menuitemradio')).toHaveText(['Waiting', 'Drop', 'PDI', 'Used']);
  await expect(menu.getByRole('menuitemradio', { name: 'Waiting' })).toBeChecked();
  await menu.getByRole('menuitemradio', { name: 'Waiting' }).click();
  await expect(menu).toBeHidden();
  await expect(control).toBeEnabled();

  for (const status of ['Used', 'Drop', 'PDI', 'Waiting']) {
    gateway.hold((_, path) => path.endsWith('/update-status'));
    await desk.pickStatus(order, status);
    await expect(menu).toBeHidden();
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

test('the menu closes when a change of the order starts anywhere on the page', async ({
  browser,
  gateway,
}) => {
  const desk = await openDesk(browser, gateway, ADVISOR);
  const order = await desk.firstWith('Drop');
  await desk.find(order);
  const menu = desk.page.getByRole('menu', { includeHidden: true });
  await desk.status(order).click();
  await expect(menu).toBeVisible();
  gateway.hold((_, path) => path.endsWith('/update-status'));
  await desk.command(`${order} status PDI`);
  await expect(desk.status(order)).toBeDisabled();
  await expect(menu).toHaveCount(0);
  gateway.release();
  await expect(desk.status(order)).toHaveText('PDI');
  await expect(menu).toHaveCount(0);
});

test('the menu opens upward when there is little room below it, and closes as a menu does', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const { page } = desk;
  const order = (await desk.top())[2] ?? '';
  const control = desk.status(order);
  const menu = page.getByRole('menu');
  const boxes = async () => {
    const [ofControl, ofMenu] = [await control.boundingBox(), await menu.boundingBox()];
    if (ofControl === null || ofMenu === null) throw new Error('the menu is not on screen');
    return { control: ofControl, menu: ofMenu };
  };
  await control.click();
  const { control: at, menu: open } = await boxes();
  expect(open.height).toBeGreaterThanOrEqual(MENU);
  expect(open.height).toBeLessThanOrEqual(MENU + 4);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(control).toBeFocused();

  const bottom = Math.ceil(at.y + at.height);
  for (const [room, way] of [
    [MENU + SPARE + 3, 'down'],
    [MENU + SPARE - 3, 'up'],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: bottom + room });
    await control.click();
    const now = await boxes();
    if (way === 'down') expect(now.menu.y).toBeGreaterThanOrEqual(now.control.y + now.control.height);
    else expect(now.menu.y + now.menu.height).toBeLessThanOrEqual(now.control.y);
    await page.getByRole('textbox', { name: 'Search repair orders' }).click();
    await expect(menu).toBeHidden();
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  // All ways round, and never out of it.
  await control.click();
  await expect(menu).toBeVisible();
  const items = await menu.getByRole('menuitemradio').allInnerTexts();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const from = items.indexOf(await focused());
  expect(from).toBeGreaterThanOrEqual(0);
  for (const [key, step] of [
    ['ArrowDown', 1],
    ['Tab', 1],
    ['ArrowUp', -1],
    ['Shift+Tab', -1],
  ] as const) {
    for (let pressed = 1; pressed <= items.length; pressed++) {
      await page.keyboard.press(key);
      expect(await focused(), key).toBe(items.at((from + step * pressed) % items.length));
    }
  }
  await page.keyboard.press('Escape');
  await expect(control).toBeFocused();
  await expect(control).toHaveText(items[from] ?? '');
});

test('an open menu stays in place while the rows around it are waiting to move', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const [first = '', second = '', third = '', fourth = ''] = await desk.top();
  const control = desk.status(third);
  await control.click();
  const menu = desk.page.getByRole('menu', { name: `Change status of RO ${third}` });
  const before = [await control.boundingBox(), await menu.boundingBox()];
  // Whatever else holds the rows: the pointer is elsewhere.
  await desk.page.mouse.move(700, 20);

  await owner.find(first);
  await owner.pickStatus(first, 'PDI');
  await owner.find(fourth);
  await owner.pickStatus(fourth, 'PDI');
  await expect(desk.page.getByText('Newer order is waiting')).toBeVisible();
  await expect(desk.page.getByText('2 moved', { exact: true })).toBeVisible();
  await expect(desk.status(fourth)).toHaveText('PDI');
  expect([await control.boundingBox(), await menu.boundingBox()]).toEqual(before);

  // 'Show now' is at hand while rows are held; with it nothing waits any more.
  await desk.page.keyboard.press('Escape');
  await desk.row(second).hover();
  await expect(desk.page.getByText('Newer order is waiting')).toBeVisible();
  await desk.page.getByRole('button', { name: 'Show now' }).click();
  await expect(desk.page.getByText('Newer order is waiting')).toBeHidden();
  expect((await desk.top()).slice(0, 2)).toEqual([second, third]);
  await expect(desk.page.getByText(/^\d+ moved$/)).toBeHidden();
});
