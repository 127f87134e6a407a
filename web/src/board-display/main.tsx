// A board on a wall: its own program, since it runs for weeks in browsers that are years old.
import './board.css';
import { type ComponentChildren, render } from 'preact';
import { BoardSession } from './board-session.ts';
import { BoardView, screenSpace } from './board-view.tsx';
import { reloadPage } from './page-reload.ts';
import { PairingScreen } from './pairing-screen.tsx';
import { serverNow } from './server-clock.ts';
import { PageTurner } from './standing-page.ts';
import { setLanguage, texts } from './texts.ts';
import { isBetween } from './times.ts';

/** A burst of messages is drawn once. */
const DRAW_INTERVAL_MS = 100;
const MINUTE_MS = 60_000;
const ERROR_RELOAD_MS = 30_000;
const SECOND_MS = 1_000;
/** The steady clock stops while a screen sleeps; the wall clock does not. */
const ASLEEP_MS = 5_000;
/** Against burn-in: the offset of the picture from minute to minute, in forty-fifths of the height. */
const burnInOffsets = [
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
// The newest required feature that can be detected; an older browser shows the text of board.html.
if (!('allSettled' in Promise)) throw new Error('This browser is too old.');
place.textContent = '';

const pageTurner = new PageTurner();
let drawPlanned = false;
let hasFailed = false;
const session = new BoardSession(drawSoon);

function drawSoon(): void {
  if (drawPlanned) return;
  drawPlanned = true;
  setTimeout(draw, DRAW_INTERVAL_MS);
}

function draw(): void {
  drawPlanned = false;
  if (place === null || hasFailed) return;
  setLanguage(session.shop?.board.settings.language ?? null);
  try {
    render(<Screen />, place);
  } catch (failure) {
    console.error('The board could not be drawn.', failure);
    // What is on screen may be wrong, and Preact's state is inconsistent.
    hasFailed = true;
    place.innerHTML = '<div class="screen dark"><p class="head not-live"></p></div>';
    const banner = place.querySelector('.not-live');
    if (banner !== null) banner.textContent = texts.broken;
    setTimeout(reloadPage, ERROR_RELOAD_MS);
  }
}

function Screen() {
  const { pairer, linkSpent, shop, trust, notSavingSince, identified } = session;
  const now = serverNow();
  if (pairer !== null) {
    return (
      <Frame theme="dark">
        <PairingScreen pairer={pairer} linkSpent={linkSpent} />
      </Frame>
    );
  }
  if (shop === null) {
    return (
      <Frame theme="dark">
        <p class="connecting">{trust.kind === 'gone' ? texts.noServer : texts.connecting}</p>
      </Frame>
    );
  }
  const { theme, dimFrom, dimUntil } = shop.board.settings;
  shop.settle(performance.now());
  const standing = pageTurner.pageAt(shop, screenSpace(), now, performance.now());
  const pages = standing.layout.pages.length;
  session.shows = { orders: shop.cards.size, pages, page: pages === 0 ? 0 : standing.page + 1 };
  return (
    <Frame theme={theme} dimmed={isBetween(now, shop.zone, dimFrom, dimUntil)}>
      <BoardView
        shop={shop}
        standing={standing}
        trust={trust}
        notSavingSince={notSavingSince}
        moment={{ now, zone: shop.zone, upright: innerWidth < innerHeight }}
      />
      {identified !== null && (
        <div class="identified" role="alert">
          <p>{texts.thisIs}</p>
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
  const [x, y] =
    burnInOffsets[Math.floor(performance.now() / MINUTE_MS) % burnInOffsets.length] ?? burnInOffsets[0];
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
void session.begin();
let seconds = { steady: performance.now(), wall: Date.now() };
setInterval(() => {
  const now = { steady: performance.now(), wall: Date.now() };
  if (now.wall - seconds.wall - (now.steady - seconds.steady) > ASLEEP_MS) session.handleWake();
  seconds = now;
  drawSoon();
}, SECOND_MS);
addEventListener('resize', drawSoon);
// A link was opened on a screen that already shows a board.
addEventListener('hashchange', () => location.reload());
