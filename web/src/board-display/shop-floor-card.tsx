// A car on the shop floor: a card, or a line where there are many.
import { toNameCase } from '../rules/name-case.ts';
import type { ShopFloorCard } from './board-state.ts';
import { isReady } from './card-order.ts';
import {
  type CardPlace,
  type CardState,
  classes,
  GoneSign,
  type Moment,
  stageAndVehicle,
  stateClasses,
} from './card-parts.tsx';
import { categories } from './categories.ts';
import { FittingText } from './fitting-text.tsx';
import { Icon } from './icons.tsx';
import { Replaced } from './replaced.tsx';
import { Stopwatch } from './stopwatch.tsx';
import { texts } from './texts.ts';
import { type Due, dayAndTime, dueOf, formatApproximate, formatDuration, withoutHalf } from './times.ts';

export function ShopFloorCarCard({
  card,
  since,
  moment,
  place,
}: {
  card: ShopFloorCard;
  /** Since when its technician has been working on it; null: not now. */
  since: string | null;
  moment: Moment;
  place: CardPlace;
}) {
  const due = dueOf(card.promised, moment.now);
  return (
    <article
      class={classes('card car', !place.isGone && due.kind, since !== null && 'runs', ...stateClasses(place))}
      style={{ height: place.height }}
      data-key={card.key}
    >
      <p class="line">
        <span class={`sign ${categories[card.status].colour}`}>
          <Icon name={card.status} />
        </span>
        <b class="number">{card.roNumber}</b>
        <Replaced
          class={card.status === 'Waiting' ? 'tag waiting' : 'word'}
          text={texts.category[card.status]}
        />
      </p>
      <p class="line">
        <span class="who" dir="auto">
          {toNameCase(card.customer)}
        </span>
        {card.tagNumber !== '' && <Replaced class="tag-number" text={card.tagNumber} />}
      </p>
      <p class="line what">
        <FittingText as="span" class="cut fit" texts={stageAndVehicle(card)} />
        <Jobs card={card} />
      </p>
      {place.isGone ? (
        <GoneSign />
      ) : (
        // Beside a longer text the clock falls out of the line: then it is another line.
        <p key={`${due.kind} ${dueText(due, moment)}`} class="line foot">
          <DueSign due={due} isReady={isReady(card)} moment={moment} />
          {since !== null && <Stopwatch since={since} now={moment.now} />}
        </p>
      )}
    </article>
  );
}

/** A car on the shop floor in one line: its status, its number, and when it is due. */
export function CarLine({
  card,
  runs,
  moment,
  state,
}: {
  card: ShopFloorCard;
  /** Its technician's clock runs on it. */
  runs: boolean;
  moment: Moment;
  state: CardState;
}) {
  const due = dueOf(card.promised, moment.now);
  return (
    <p
      class={classes(
        'car-line',
        !state.isGone && due.kind,
        runs && 'runs',
        card.roNumber.length > 5 && 'long',
        ...stateClasses(state),
      )}
      data-key={card.key}
    >
      <span class={`sign ${categories[card.status].colour}`}>
        <Icon name={card.status} />
      </span>
      <b class="number">{card.roNumber}</b>
      {state.isGone ? (
        <span class="gone-sign">{texts.goneShort}</span>
      ) : (
        <Replaced
          class={due.kind !== 'overdue' && isReady(card) ? 'due done' : 'due'}
          text={lineDue(card, due, moment)}
        />
      )}
    </p>
  );
}

function lineDue(card: ShopFloorCard, due: Due, moment: Moment): string {
  if (due.kind === 'overdue') return `+${formatApproximate(due.minutes)}`;
  if (isReady(card)) return texts.stage.ready;
  if (due.kind === 'none') return '';
  if (due.kind === 'soon') return texts.minutes(due.minutes);
  // 'Sat 11:30' as 'Sa 11:30': two letters tell the days of a week in each language.
  return withoutHalf(dayAndTime(due.time, moment.now, moment.zone)).replace(/^(\p{L}{2})\p{L}+/u, '$1');
}

/** How many of its jobs are done, where there are several. */
function Jobs({ card: { jobs, done } }: { card: ShopFloorCard }) {
  if (jobs < 2) return null;
  return (
    <span key={`${done}/${jobs}`} class="jobs" role="img" aria-label={texts.jobs(done, jobs)}>
      {done}/{jobs}
    </span>
  );
}

function dueText(due: Due, moment: Moment): string {
  if (due.kind === 'none') return texts.noPromise;
  if (due.kind === 'overdue') return texts.overdue(formatApproximate(due.minutes));
  if (due.kind === 'later') return dayAndTime(due.time, moment.now, moment.zone);
  return due.minutes === 0 ? texts.dueNow : texts.dueIn(formatDuration(due.minutes));
}

function DueSign({ due, isReady, moment }: { due: Due; isReady: boolean; moment: Moment }) {
  if (isReady && due.kind !== 'overdue') {
    return (
      <span class="due strong done">
        <Icon name="ready" weight={3} />
        {texts.stage.ready}
      </span>
    );
  }
  const text = dueText(due, moment);
  if (due.kind === 'none') return <span class="due quiet">{text}</span>;
  if (due.kind === 'later') return <span class="due">{text}</span>;
  return (
    <span class="due strong">
      <Icon name={due.kind === 'overdue' ? 'overdue' : 'due'} weight={2.4} />
      {text}
    </span>
  );
}
