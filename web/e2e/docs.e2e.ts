import { expect, test } from './desk.ts';

for (const width of [1440, 390]) {
  test(`the API's page lists every call, ${width} px wide, and contacts no other host`, async ({
    page,
    dispatch,
  }) => {
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const address = request.url();
      if (!address.startsWith(dispatch.url) && !address.startsWith('data:')) complaints.push(address);
    });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${dispatch.url}/api/docs`);
    await expect(page.getByRole('heading', { name: /^Dispatch/ })).toBeVisible();

    const document = await (await page.request.get(`${dispatch.url}/api/openapi.json`)).json();
    const paths: Record<string, object> = document.paths;
    for (const path of Object.keys(paths)) {
      await expect(page.locator(`[data-path="${path}"]`).first()).toBeVisible();
    }
    await page.locator('[data-path="/api/repair-orders/update-status"]').click();
    await expect(page.getByText('Request body')).toBeVisible();
    const overhang = () =>
      page.evaluate(() => globalThis.document.documentElement.scrollWidth - globalThis.innerWidth);
    await expect.poll(overhang).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });
}
