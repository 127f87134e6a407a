// A board on a wall: its own program, since it runs for weeks in browsers that are years old.
import './board.css';
import { type ComponentChildren, render } from 'preact';
import { Life } from './life.ts';
import { Pager } from './pager.ts';
import { PairingScreen } from './pairing-screen.tsx';
import { serverNow } from './server-clock.ts';
import { isBetween } from './times.ts';
import { arrangeOnScreen, Wall } from './wall.tsx';
import { words } from './words.ts';

/** Many messages at once are one picture. */
const DRAW_AT_MOST_EVERY_MS = 100;
const MINUTE_MS = 60_000;
/** Against burn-in: where the picture is from minute to minute, in forty-fifths of the height. */
const shifts = [
  [0, 0],
  [0.2, 0.1],
  [0.3, 0.3],
  [0.1, 0.2],
  [-0.1, 0.3],
  [-0.3, 0.1],
  [-0.2, -0.2],
  [0.1, -0.3],
] as const;

const place = document.getElementById('board');
if (place === null) throw new Error('board.html has no #board');
place.textContent = '';
document.documentElement.lang = words.language;

const pager = new Pager();
let planned = false;
const life = new Life(drawSoon);

function drawSoon(): void {
  if (planned) return;
  planned = true;
  setTimeout(draw, DRAW_AT_MOST_EVERY_MS);
}

function draw(): void {
  planned = false;
  if (place !== null) render(<Screen />, place);
}

function Screen() {
  const { pairer, shop, trust, identified } = life;
  const now = serverNow();
  if (pairer !== null) {
    return (
      <Frame theme="dark">
        <PairingScreen pairer={pairer} />
      </Frame>
    );
  }
  if (shop === null) {
    return (
      <Frame theme="dark">
        <p class="connecting">{trust.kind === 'gone' ? words.noServer : words.connecting}</p>
      </Frame>
    );
  }
  const { theme, dimFrom, dimUntil, pageSeconds } = shop.board.settings;
  shop.settle(performance.now());
  const arrangement = arrangeOnScreen(shop, now);
  const pages = arrangement.pages.length;
  const page = pager.turn(pages, pageSeconds * 1_000, performance.now());
  life.shows = { orders: shop.cards.size, pages, page: pages === 0 ? 0 : page + 1 };
  return (
    <Frame theme={theme} dimmed={isBetween(now, shop.zone, dimFrom, dimUntil)}>
      <Wall
        shop={shop}
        arrangement={arrangement}
        page={page}
        trust={trust}
        moment={{ now, zone: shop.zone, upright: innerWidth < innerHeight }}
      />
      {identified !== null && (
        <div class="identified" role="alert">
          <p>{words.thisIs}</p>
          <b>{identified}</b>
        </div>
      )}
    </Frame>
  );
}

function Frame({
  theme,
  dimmed = false,
  children,
}: {
  theme: 'dark' | 'light';
  dimmed?: boolean;
  children: ComponentChildren;
}) {
  const [x, y] = shifts[Math.floor(performance.now() / MINUTE_MS) % shifts.length] ?? shifts[0];
  const upright = innerWidth < innerHeight;
  return (
    <div class={`screen ${theme} ${upright ? 'upright' : ''} ${dimmed ? 'dimmed' : ''}`}>
      <div class="picture" style={{ transform: `translate(${x}rem, ${y}rem)` }}>
        {children}
      </div>
    </div>
  );
}

draw();
void life.begin();
setInterval(drawSoon, 1_000);
addEventListener('resize', drawSoon);
