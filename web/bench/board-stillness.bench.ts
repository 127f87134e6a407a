// Boards of each layout in a moving demo shop, for minutes: between two turns of its page nothing on a board moves, by the
// browser's own layout shifts.
import { expect, test } from '@playwright/test';
import { Board } from '../e2e/board-screen.ts';
import { OWNER } from '../e2e/desk.ts';
import { Dispatch } from '../e2e/dispatch.ts';
import { Api } from '../e2e/server-api.ts';
import { standingReport, watchStanding } from '../e2e/standing-board.ts';

const MINUTES = Number(process.env.STILL_MINUTES ?? 10);
const LAYOUTS = ['shop-floor', 'queue', 'used-pdi', 'lounge'];

test.setTimeout((MINUTES + 5) * 60_000);

test(`in ${MINUTES} minutes of a moving shop nothing moves on a board but by a turn of its page`, async ({
  browser,
}) => {
  const dispatch = new Dispatch(process.env.DISPATCH_BIN ?? '../target/release/dispatch');
  dispatch.demo = 'moving';
  try {
    await dispatch.start();
    const owner = await Api.signIn(dispatch.url, OWNER);
    const boards = [];
    for (const layout of LAYOUTS) {
      const target = { name: layout, layout, settings: { dimFrom: null } };
      const board = await Board.linked(browser, dispatch, owner, target);
      await expect(board.cards.first()).toBeVisible();
      await watchStanding(board.page);
      boards.push({ layout, board });
    }
    await new Promise((done) => setTimeout(done, MINUTES * 60_000));
    for (const { layout, board } of boards) {
      const { turns, changes, shifts } = await standingReport(board.page);
      console.log(
        `${layout}: ${changes} changes of text, ${turns} turns, ${shifts.length} shifts beside them`,
      );
      expect.soft(shifts, layout).toEqual([]);
      // A shop that stands still proves nothing.
      expect.soft(changes, layout).toBeGreaterThan(MINUTES * 5);
      expect.soft(turns, layout).toBeGreaterThan(MINUTES * 2);
    }
  } finally {
    await dispatch.discard();
  }
});
