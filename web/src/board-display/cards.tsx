// A car as each layout shows it.

import { toNameCase } from '../rules/name-case.ts';
import type { Category, LoungeCard, QueueCard, ShopFloorCard, Stage, UsedPdiCard } from './board-state.ts';
import { categories } from './categories.ts';
import { Icon } from './icons.tsx';
import { weeksHere } from './page-layout.ts';
import { Stopwatch } from './stopwatch.tsx';
import { texts } from './texts.ts';
import {
  type Due,
  dayAndTime,
  daysHere,
  dueOf,
  formatApproximate,
  formatDuration,
  type Zone,
} from './times.ts';

export interface Moment {
  /** The server's time (ms). */
  now: number;
  zone: Zone;
  /** The screen is upright: there is little width and much height. */
  upright: boolean;
}

interface CardPlace {
  height: string;
  changed: boolean;
}

const classes = (...names: (string | false)[]) => names.filter((name) => name !== false).join(' ');

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
      class={classes('card car', due.kind, since !== null && 'runs', place.changed && 'changed')}
      style={{ height: place.height }}
      data-key={card.key}
    >
      <p class="line">
        <span class={`sign ${categories[card.status].colour}`}>
          <Icon name={card.status} />
        </span>
        <b class="number">{card.roNumber}</b>
        {card.status === 'Waiting' && <span class="tag waiting">{texts.waitingWord}</span>}
        {card.status !== 'Waiting' && <span class="word">{texts.category[card.status]}</span>}
      </p>
      <p class="line">
        <span class="who" dir="auto">
          {toNameCase(card.customer)}
        </span>
        {card.tagNumber !== '' && <span class="tag-number">{card.tagNumber}</span>}
      </p>
      <p class="line what">
        <span class="cut">{card.vehicle}</span>
        <Jobs card={card} />
      </p>
      <p class="line foot">
        <DueSign due={due} moment={moment} />
        {since !== null && <Stopwatch since={since} now={moment.now} />}
      </p>
    </article>
  );
}

/** How many of its jobs are done, where there are several. */
function Jobs({ card: { jobs, done } }: { card: ShopFloorCard }) {
  if (jobs < 2) return null;
  return (
    <span class="jobs" role="img" aria-label={texts.jobs(done, jobs)}>
      {done}/{jobs}
    </span>
  );
}

function DueSign({ due, moment }: { due: Due; moment: Moment }) {
  if (due.kind === 'none') return <span class="due quiet">{texts.noPromise}</span>;
  if (due.kind === 'overdue') {
    return (
      <span class="due strong">
        <Icon name="overdue" weight={2.4} />
        {texts.overdue(formatApproximate(due.minutes))}
      </span>
    );
  }
  const time = dayAndTime(due.time, moment.now, moment.zone);
  if (due.kind === 'later') return <span class="due">{time}</span>;
  return (
    <span class="due strong">
      <Icon name="due" weight={2.4} />
      {due.minutes === 0 ? texts.dueNow : texts.dueIn(formatDuration(due.minutes))}
    </span>
  );
}

export function QueueCarCard({ card, moment, place }: { card: QueueCard; moment: Moment; place: CardPlace }) {
  const due = dueOf(card.promised, moment.now);
  const people = [card.technician ?? texts.nobody, moment.upright ? '' : card.advisor];
  return (
    <article
      class={classes('card row', due.kind, place.changed && 'changed')}
      style={{ height: place.height }}
      data-key={card.key}
    >
      <Square category={card.status} />
      <div class="main">
        <p class="line">
          <b class="number">{card.roNumber}</b>
          <span class="who" dir="auto">
            {toNameCase(card.customer)}
          </span>
        </p>
        <p class="line what">
          <span class="cut">{card.vehicle}</span>
        </p>
        <p class="line what people">
          <span class="cut">{people.filter((name) => name !== '').join(' · ')}</span>
        </p>
      </div>
      <WhenDue due={due} moment={moment} />
    </article>
  );
}

function Square({ category }: { category: Category }) {
  return (
    <div class={`square ${category} ${categories[category].colour}`}>
      <Icon name={category} />
      <span>{texts.category[category]}</span>
    </div>
  );
}

/** The due time, large, and its meaning in words below. */
function WhenDue({ due, moment }: { due: Due; moment: Moment }) {
  if (due.kind === 'none') return <div class="when quiet">{texts.noPromise}</div>;
  const time = dayAndTime(due.time, moment.now, moment.zone);
  if (due.kind === 'later') {
    const minutes = Math.round((due.time - moment.now) / 60_000);
    return (
      <div class="when">
        <b>{time}</b>
        <span>{texts.dueIn(moment.upright ? formatApproximate(minutes) : formatDuration(minutes))}</span>
      </div>
    );
  }
  if (due.kind === 'soon') {
    return (
      <div class="when">
        <b>{time}</b>
        <span class="strong">
          <Icon name="due" weight={2.4} />
          {due.minutes === 0 ? texts.dueNow : texts.dueIn(formatDuration(due.minutes))}
        </span>
      </div>
    );
  }
  return (
    <div class="when">
      <b>
        <Icon name="overdue" weight={2.4} />
        {moment.upright ? formatApproximate(due.minutes) : formatDuration(due.minutes)}
      </b>
      <span class="strong">
        {texts.overdueWord}
        {!moment.upright && ` · ${time}`}
      </span>
    </div>
  );
}

export function UsedPdiCarCard({
  card,
  moment,
  place,
}: {
  card: UsedPdiCard;
  moment: Moment;
  place: CardPlace;
}) {
  const days = daysHere(card.opened, moment.now, moment.zone);
  const weeks = weeksHere(days);
  return (
    <article
      class={classes('card row', weeks === 2 && 'overdue', weeks === 1 && 'soon', place.changed && 'changed')}
      style={{ height: place.height }}
      data-key={card.key}
    >
      <div class="days">
        <b>{days}</b>
        <span>{texts.daysWord(days)}</span>
      </div>
      <div class="main">
        <p class="line">
          <span class={`sign ${categories[card.status].colour}`}>
            <Icon name={card.status} />
          </span>
          <b class="number">{card.roNumber}</b>
          <span class="word">{texts.category[card.status]}</span>
        </p>
        <p class="line what">
          <span class="cut">{card.vehicle}</span>
        </p>
        <p class="line what">
          {weeks === 0 ? (
            <span class="cut">{card.technician ?? texts.nobody}</span>
          ) : (
            <span class="due strong">
              <Icon name={weeks === 2 ? 'overdue' : 'long'} weight={2.4} />
              {weeks === 2 ? texts.overTwoWeeks : texts.overWeek}
            </span>
          )}
        </p>
      </div>
    </article>
  );
}

const stages: readonly Stage[] = ['checked-in', 'in-line', 'in-work', 'almost-done', 'ready'];

export function LoungeCarCard({
  card,
  moment,
  place,
}: {
  card: LoungeCard;
  moment: Moment;
  place: CardPlace;
}) {
  const due = dueOf(card.promised, moment.now);
  const ready = card.stage === 'ready';
  const delayed = due.kind === 'overdue' && !ready;
  const at = stages.indexOf(card.stage);
  return (
    <article
      class={classes('card row guest', ready && 'ready', delayed && 'delayed', place.changed && 'changed')}
      style={{ height: place.height }}
      data-key={card.key}
    >
      <b class="name" dir="auto">
        {card.who}
      </b>
      <div class="progress">
        <p class="stage">
          {ready && <Icon name="ready" weight={3} />}
          {texts.stage[card.stage]}
        </p>
        <p class="steps" aria-hidden="true">
          {stages.map((stage, step) => (
            <i key={stage} class={step <= at ? 'done' : ''} />
          ))}
        </p>
      </div>
      <div class="when">
        {ready ? (
          <span>{texts.pickUp}</span>
        ) : delayed ? (
          <span class="strong">
            <Icon name="long" weight={2.4} />
            {texts.delayed}
          </span>
        ) : (
          due.kind !== 'none' && (
            <>
              <b>{dayAndTime(due.time, moment.now, moment.zone)}</b>
              <span>{texts.readyAround}</span>
            </>
          )
        )}
      </div>
    </article>
  );
}
