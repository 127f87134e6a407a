// The board: its header, the current page of cars, and the page indicator.

import type { BoardState, Card, Technician } from './board-state.ts';
import { LoungeCarCard, type Moment, QueueCarCard, ShopFloorCarCard, UsedPdiCarCard } from './cards.tsx';
import type { BoardFreshness } from './freshness.ts';
import { Icon } from './icons.tsx';
import {
  type CarCounts,
  COLUMN_HEAD,
  type Column,
  countCars,
  GAP,
  layOutPages,
  type PageLayout,
} from './page-layout.ts';
import { serverTimeAt } from './server-clock.ts';
import { Stopwatch } from './stopwatch.tsx';
import { texts } from './texts.ts';
import { timeOfDay, today } from './times.ts';

/** A margin, so that the burn-in shift cuts nothing off. */
const MARGIN = 1;
const HEAD = { wide: 3.6, upright: 6.6 };
const FOOT = 1.9;
const UPRIGHT_BELOW = 45;
/** With this many pages the bars touch. */
const MANY_PAGES = 24;
/** Longer names use a smaller font. */
const LONG_NAME = 18;

export function layOutOnScreen(shop: BoardState, now: number): PageLayout {
  const wide = (innerWidth / innerHeight) * 45;
  const head = wide < UPRIGHT_BELOW ? HEAD.upright : HEAD.wide;
  const room = { width: wide - 2 * MARGIN, height: 45 - 2 * MARGIN - head - FOOT - 2 * GAP };
  return layOutPages(shop, room, now);
}

export function BoardView({
  shop,
  arrangement,
  page,
  trust,
  notSavingSince,
  moment,
}: {
  shop: BoardState;
  arrangement: PageLayout;
  page: number;
  trust: BoardFreshness;
  /** ms, the server's clock. */
  notSavingSince: number | null;
  moment: Moment;
}) {
  const { columns, narrow, pages, scale } = arrangement;
  const up = pages[page] ?? [];
  return (
    <>
      {trust.kind === 'gone' ? (
        <NotLive since={trust.since} moment={moment} />
      ) : (
        <Head shop={shop} counts={countCars(shop, moment.now)} trust={trust} moment={moment} />
      )}
      <main
        class={`cars ${shop.board.layout} ${narrow ? 'narrow' : ''} ${trust.kind === 'gone' ? 'old' : ''}`}
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, fontSize: `${scale}rem` }}
      >
        {up.map((column) => (
          <section key={`${column.technician?.id ?? up.indexOf(column)} ${column.part}`} class="column">
            {column.technician !== null && (
              <ColumnHead column={column} technician={column.technician} scale={scale} moment={moment} />
            )}
            {column.cards.map((card) => (
              <CarCard
                key={card.key}
                card={card}
                technician={column.technician}
                moment={moment}
                place={{ height: `${arrangement.height}rem`, changed: shop.changed(card.key) }}
              />
            ))}
          </section>
        ))}
        {pages.length === 0 && <p class="empty">{texts.nothingHere}</p>}
      </main>
      <footer class="foot">
        {notSavingSince !== null && (
          <p class="not-saving" role="status">
            {texts.notSavingSince(timeOfDay(notSavingSince, moment.zone))}
          </p>
        )}
        {pages.length > 1 && <PageMark shop={shop} pages={pages} page={page} />}
      </footer>
    </>
  );
}

function CarCard({
  card,
  technician,
  moment,
  place,
}: {
  card: Card;
  technician: Technician | null;
  moment: Moment;
  place: { height: string; changed: boolean };
}) {
  if ('technicianIds' in card) {
    const clock = technician?.running ?? null;
    const since = clock !== null && clock.key === card.key ? clock.since : null;
    return <ShopFloorCarCard card={card} since={since} moment={moment} place={place} />;
  }
  if ('stage' in card) return <LoungeCarCard card={card} moment={moment} place={place} />;
  if ('advisor' in card) return <QueueCarCard card={card} moment={moment} place={place} />;
  return <UsedPdiCarCard card={card} moment={moment} place={place} />;
}

function ColumnHead({
  column,
  technician,
  scale,
  moment,
}: {
  column: Column;
  technician: Technician;
  scale: number;
  moment: Moment;
}) {
  const clock = technician.running;
  return (
    <header class="technician" style={{ height: `${COLUMN_HEAD * Math.min(scale, 1.2) - GAP}rem` }}>
      <h2 class={technician.name.length > LONG_NAME ? 'long' : ''}>{technician.name}</h2>
      <p>
        {clock === null ? (
          <span class="quiet">{texts.offTheClock}</span>
        ) : (
          <Stopwatch since={clock.since} now={moment.now} />
        )}
        <span class="quiet">
          {texts.cars(column.cars)}
          {column.parts > 1 && ` · ${column.part}/${column.parts}`}
        </span>
      </p>
    </header>
  );
}

function Head({
  shop,
  counts,
  trust,
  moment,
}: {
  shop: BoardState;
  counts: CarCounts;
  trust: BoardFreshness;
  moment: Moment;
}) {
  const { layout, name } = shop.board;
  return (
    <header class="head">
      <h1>{name}</h1>
      <p class="counts">
        {(layout === 'shop-floor' || layout === 'queue') && (
          <>
            <span class={counts.overdue > 0 ? 'count overdue' : 'count'}>
              <Icon name="overdue" weight={2.4} />
              <b>{counts.overdue}</b> {texts.overdueWord}
            </span>
            <span class={counts.waiting > 0 ? 'count waiting' : 'count'}>
              <Icon name="Waiting" />
              <b>{counts.waiting}</b> {texts.waitingWord}
            </span>
          </>
        )}
        {layout === 'used-pdi' && (
          <span class={counts.long > 0 ? 'count overdue' : 'count'}>
            <Icon name="overdue" weight={2.4} />
            <b>{counts.long}</b> {texts.overTwoWeeks}
          </span>
        )}
        {layout !== 'lounge' && (
          <span class="count">
            <Icon name="Used" />
            <b>{counts.cars}</b> {texts.carsWord(counts.cars)}
          </span>
        )}
        {layout === 'lounge' && <span class="count">{today(moment.now, moment.zone)}</span>}
      </p>
      <p class={`trust ${trust.kind}`}>
        <i aria-hidden="true" />
        {trust.kind === 'live' ? texts.live : texts.late}
      </p>
      <time class="time">{timeOfDay(moment.now, moment.zone)}</time>
    </header>
  );
}

function NotLive({ since, moment }: { since: number; moment: Moment }) {
  return (
    <div class="head not-live" role="alert">
      <Icon name="cut" weight={2.4} />
      <b>{texts.notLiveSince(timeOfDay(serverTimeAt(since), moment.zone))}</b>
    </div>
  );
}

/** A bar for each page; the current one is filled, and one with a change is highlighted. */
function PageMark({ shop, pages, page }: { shop: BoardState; pages: PageLayout['pages']; page: number }) {
  return (
    <>
      <p class={`marks ${pages.length > MANY_PAGES ? 'many' : ''}`} aria-hidden="true">
        {pages.map((columns, index) => (
          <i
            key={String(index)}
            class={`${index === page ? 'up' : ''} ${
              columns.some(({ cards }) => cards.some(({ key }) => shop.changed(key))) ? 'news' : ''
            }`}
          />
        ))}
      </p>
      <p class="page">{texts.page(page + 1, pages.length)}</p>
    </>
  );
}
