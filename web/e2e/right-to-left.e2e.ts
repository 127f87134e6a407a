// Names written from right to left among those from left to right.
import { expect, OWNER, openDesk, test } from './desk.ts';
import { orderFile } from './server-api.ts';

const LATIN = 'Maximilian Alexander von Hohenberg-Schwarzenfels und zu Ebersbach';
const ARABIC = 'عبد الرحمن بن يوسف بن إبراهيم الحداد الدمشقي المولود في حلب والمقيم في بيروت';
const [FIRST, SECOND] = ['987651', '987652'];

test('a long name keeps its place, and its end is what has no room', async ({ browser, dispatch }) => {
  dispatch.importFile(
    'orders.json',
    orderFile(
      { repairOrderNumber: Number(FIRST), customer: LATIN },
      { repairOrderNumber: Number(SECOND), customer: ARABIC },
    ),
  );
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.type('98765');
  const boxes = async (roNumber: string, name: string) =>
    await desk
      .row(roNumber)
      .getByTitle(name)
      .evaluate((cell) => {
        const text = cell.firstChild;
        if (text === null) throw new Error('no name');
        const letter = (from: number) => {
          const range = document.createRange();
          range.setStart(text, from);
          range.setEnd(text, from + 1);
          return range.getBoundingClientRect();
        };
        const { left, right, width } = cell.getBoundingClientRect();
        const first = letter(0);
        const last = letter((text.textContent?.length ?? 0) - 1);
        const isIn = (box: DOMRect) => box.left >= left - 1 && box.right <= right + 1;
        return {
          left,
          width,
          isCut: cell.scrollWidth > cell.clientWidth,
          firstSeen: isIn(first),
          lastSeen: isIn(last),
        };
      });
  await expect(desk.row(SECOND).getByTitle(ARABIC)).toBeVisible();
  const latin = await boxes(FIRST, LATIN);
  const arabic = await boxes(SECOND, ARABIC);
  expect(arabic).toEqual({ ...latin, isCut: true, firstSeen: true, lastSeen: false });
});
