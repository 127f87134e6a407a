// Whether a board stands still between two turns of its page: by the browser's own layout shifts, and by where its cards
// stand.
import type { Page } from '@playwright/test';

export interface StandingReport {
  /** How often a page came up. */
  turns: number;
  /** How often the board was drawn with other texts than before. */
  changes: number;
  /** What moved although no page had come up. */
  shifts: string[];
}

/** The browser reports a shift with the frame after the turn. */
const TURN_MS = 700;

interface Watch {
  turnedAt: number[];
  changes: number;
  shifts: { at: number; what: string }[];
}

declare global {
  interface Window {
    standingWatch: Watch;
  }
}

/** To be called when the board is live and its fonts are there. */
export async function watchStanding(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const watch: Watch = { turnedAt: [performance.now()], changes: 0, shifts: [] };
    window.standingWatch = watch;
    const turn = () => document.querySelector('main.cars')?.getAttribute('data-turn') ?? '';
    const places = () =>
      [...document.querySelectorAll<HTMLElement>('main.cars [data-key]')].map((card) => {
        const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = card;
        return [card.dataset.key, offsetLeft, offsetTop, offsetWidth, offsetHeight].join(' ');
      });
    let stood = { turn: turn(), places: places(), text: document.body.innerText };
    new MutationObserver(() => {
      const stands = { turn: turn(), places: places(), text: document.body.innerText };
      if (stands.turn !== stood.turn) watch.turnedAt.push(performance.now());
      else if (stands.places.join() !== stood.places.join()) {
        const moved = stands.places.filter((place) => !stood.places.includes(place));
        watch.shifts.push({ at: Number.POSITIVE_INFINITY, what: `cards moved: ${moved.join(', ')}` });
      }
      if (stands.text !== stood.text) watch.changes++;
      stood = stands;
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[]) {
        const sources = entry.sources.map(({ node, previousRect: was, currentRect: is }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.tagName}.${element?.className} '${node?.textContent}' ${was.x},${was.y} -> ${is.x},${is.y}`;
        });
        watch.shifts.push({ at: entry.startTime, what: sources.join('; ') });
      }
    }).observe({ type: 'layout-shift' });
  });
}

export async function standingReport(page: Page): Promise<StandingReport> {
  const { turnedAt, changes, shifts } = await page.evaluate(() => {
    const { standingWatch: watch } = window;
    // Infinity does not pass as JSON.
    return {
      ...watch,
      shifts: watch.shifts.map(({ at, what }) => ({ at: Math.min(at, Number.MAX_VALUE), what })),
    };
  });
  const isOfTurn = (at: number) =>
    turnedAt.some((turned) => at >= turned - TURN_MS && at <= turned + TURN_MS);
  const wrong = shifts.filter(({ at }) => !isOfTurn(at)).map(({ what }) => what);
  return { turns: turnedAt.length - 1, changes, shifts: wrong };
}
