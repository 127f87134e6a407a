// The board: its header, the current page of cars, and the page indicator.

import type { BoardState, Card, Technician } from './board-state.ts';
import type { CardPlace, Moment } from './card-parts.tsx';
import { LoungeCarCard, QueueCarCard, UsedPdiCarCard } from './cards.tsx';
import { FittingText } from './fitting-text.tsx';
import type { BoardFreshness } from './freshness.ts';
import { Icon } from './icons.tsx';
import {
  type CarCounts,
  COLUMN_HEAD,
  type Column,
  carsOf,
  countCars,
  GAP,
  type PageLayout,
  type ScreenSpace,
} from './page-layout.ts';
import { Replaced } from './replaced.tsx';
import { serverTimeAt } from './server-clock.ts';
import { CarLine, ShopFloorCarCard } from './shop-floor-card.tsx';
import { nameForms } from './short-names.ts';
import { cardAt, countOthers, type StandingPage } from './standing-page.ts';
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

export function screenSpace(): ScreenSpace {
  const wide = (innerWidth / innerHeight) * 45;
  const head = wide < UPRIGHT_BELOW ? HEAD.upright : HEAD.wide;
  return { width: wide - 2 * MARGIN, height: 45 - 2 * MARGIN - head - FOOT - 2 * GAP };
}

export function BoardView({
  shop,
  standing,
  trust,
  notSavingSince,
  moment,
}: {
  shop: BoardState;
  standing: StandingPage;
  trust: BoardFreshness;
  /** ms, the server's clock. */
  notSavingSince: number | null;
  moment: Moment;
}) {
  const { pages } = standing.layout;
  return (
    <>
      {trust.kind === 'gone' ? (
        <NotLive since={trust.since} moment={moment} />
      ) : (
        <Head shop={shop} counts={countCars(shop, moment.now)} trust={trust} moment={moment} />
      )}
      <Cars shop={shop} standing={standing} isOld={trust.kind === 'gone'} moment={moment} />
      <footer class="foot">
        {notSavingSince !== null && (
          <p class="not-saving" role="status">
            {texts.notSavingSince(timeOfDay(notSavingSince, moment.zone))}
          </p>
        )}
        {pages.length > 1 && <PageMark shop={shop} pages={pages} page={standing.page} />}
      </footer>
    </>
  );
}

/** The page that is up. `data-turn`: which one of all that came up. */
function Cars({
  shop,
  standing,
  isOld,
  moment,
}: {
  shop: BoardState;
  standing: StandingPage;
  isOld: boolean;
  moment: Moment;
}) {
  const { columns, density, pages, scale } = standing.layout;
  const up = pages[standing.page] ?? [];
  return (
    <main
      class={`cars ${shop.board.layout} ${density === 'line' ? 'tiles' : density} ${isOld ? 'old' : ''}`}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, fontSize: `${scale}rem` }}
      data-turn={standing.turns}
    >
      {up.map((column) => {
        const key = `${column.technician?.id ?? up.indexOf(column)} ${column.part}`;
        const place = { shop, standing, column, moment };
        return density === 'line' ? <Tile key={key} {...place} /> : <CardColumn key={key} {...place} />;
      })}
      {pages.length === 0 && <p class="empty">{texts.nothingHere}</p>}
    </main>
  );
}

interface ColumnPlace {
  shop: BoardState;
  standing: StandingPage;
  column: Column;
  moment: Moment;
}

function CardColumn({ shop, standing, column, moment }: ColumnPlace) {
  const { height, scale } = standing.layout;
  const technician = technicianNow(shop, column);
  return (
    <section class="column">
      {technician !== null && (
        <header class="technician" style={{ height: `${COLUMN_HEAD * Math.min(scale, 1.2) - GAP}rem` }}>
          <ColumnHead
            technician={technician}
            cars={carsText(shop, technician) + partOf(column)}
            isTile={false}
            moment={moment}
          />
        </header>
      )}
      {column.cards.map((stood) => {
        const { card, isGone } = cardAt(shop, standing, stood, technician?.id ?? null);
        const place = { height: `${height}rem`, changed: !isGone && shop.changed(card.key), isGone };
        return <CarCard key={card.key} card={card} technician={technician} moment={moment} place={place} />;
      })}
    </section>
  );
}

/** A technician with their cars in a line each, and how many more there are. */
function Tile({ shop, standing, column, moment }: ColumnPlace) {
  const { height, shortHead } = standing.layout;
  const technician = technicianNow(shop, column);
  if (technician === null) return null;
  const { running } = technician;
  /** The card of the car that the clock runs on. */
  const runsOn = running?.key;
  const others = countOthers(shop, technician.id, column.cards);
  const more = others > 0 ? texts.more(others) : '';
  return (
    <section class={`tile ${runsOn ? 'runs' : ''}`} style={{ height: `${height}rem` }}>
      {shortHead ? (
        <header class="technician short">
          <FittingText as="h2" texts={nameForms(technician.name)} />
          <Replaced class="quiet" text={others > 0 ? `+${others}` : ''} />
          {running && <Icon name={runsOn ? 'play' : 'idle'} weight={3} />}
        </header>
      ) : (
        <header class="technician">
          <ColumnHead
            technician={technician}
            cars={carsText(shop, technician)}
            isTile={true}
            moment={moment}
          />
        </header>
      )}
      {column.cards.map((stood) => {
        const { card, isGone } = cardAt(shop, standing, stood, technician.id);
        const runs = runsOn === card.key;
        const changed = !isGone && shop.changed(card.key);
        return 'technicianIds' in card ? (
          <CarLine key={card.key} card={card} runs={runs} moment={moment} state={{ changed, isGone }} />
        ) : null;
      })}
      {!shortHead && more !== '' && <p class="others">{more}</p>}
    </section>
  );
}

/** As the technician is now: a clock that ended must not run on. */
function technicianNow(shop: BoardState, { technician }: Column): Technician | null {
  if (technician === null) return null;
  return shop.technicians.get(technician.id) ?? { ...technician, running: null };
}

function carsText(shop: BoardState, { id }: Technician): string {
  const count = carsOf(shop, id).length;
  return `${count} ${texts.carsWord(count)}`;
}

const partOf = ({ part, parts }: Column) => (parts > 1 ? ` · ${part}/${parts}` : '');

function CarCard({
  card,
  technician,
  moment,
  place,
}: {
  card: Card;
  technician: Technician | null;
  moment: Moment;
  place: CardPlace;
}) {
  if ('technicianIds' in card) {
    const clock = technician?.running ?? null;
    const since = clock !== null && clock.key === card.key ? clock.since : null;
    return <ShopFloorCarCard card={card} since={since} moment={moment} place={place} />;
  }
  if ('who' in card) return <LoungeCarCard card={card} moment={moment} place={place} />;
  if ('advisor' in card) return <QueueCarCard card={card} moment={moment} place={place} />;
  return <UsedPdiCarCard card={card} moment={moment} place={place} />;
}

/** `isTile`: there is little room for it. */
function ColumnHead({
  technician,
  cars,
  isTile,
  moment,
}: {
  technician: Technician;
  cars: string;
  isTile: boolean;
  moment: Moment;
}) {
  const clock = technician.running;
  return (
    <>
      <FittingText as="h2" texts={nameForms(technician.name)} />
      <p>
        {clock === null ? (
          <span class="quiet">{isTile ? texts.offShort : texts.offTheClock}</span>
        ) : (
          <Stopwatch since={clock.since} now={moment.now} isIdle={clock.key === null} isShort={isTile} />
        )}
        <Replaced class="quiet" text={cars} />
      </p>
    </>
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
              <Replaced as="b" text={String(counts.overdue)} /> {texts.overdueWord}
            </span>
            <span class={counts.waiting > 0 ? 'count waiting' : 'count'}>
              <Icon name="Waiting" />
              <Replaced as="b" text={String(counts.waiting)} /> {texts.category.Waiting}
            </span>
          </>
        )}
        {layout === 'used-pdi' && (
          <span class={counts.long > 0 ? 'count overdue' : 'count'}>
            <Icon name="overdue" weight={2.4} />
            <Replaced as="b" text={String(counts.long)} /> {texts.overTwoWeeks}
          </span>
        )}
        {layout !== 'lounge' && (
          <span class="count">
            <Icon name="Used" />
            <Replaced as="b" text={String(counts.cars)} /> {texts.carsWord(counts.cars)}
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
