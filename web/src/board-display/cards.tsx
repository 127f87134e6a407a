// A car as the layouts show it that list cars below each other.

import { minutesUntil } from '../rules/dueness.ts';
import { toNameCase } from '../rules/name-case.ts';
import type { Category, LoungeCard, QueueCard, Stage, UsedPdiCard } from './board-state.ts';
import {
  type CardPlace,
  classes,
  GoneSign,
  type Moment,
  stageAndVehicle,
  stateClasses,
} from './card-parts.tsx';
import { categories } from './categories.ts';
import { FittingText } from './fitting-text.tsx';
import { Icon } from './icons.tsx';
import { weeksHere } from './page-layout.ts';
import { Replaced } from './replaced.tsx';
import { nameForms, vehicleForms } from './short-names.ts';
import { texts } from './texts.ts';
import {
  type Due,
  dayAndTime,
  daysHere,
  dueOf,
  formatApproximate,
  formatDuration,
  withoutHalf,
} from './times.ts';

export function QueueCarCard({ card, moment, place }: { card: QueueCard; moment: Moment; place: CardPlace }) {
  const due = dueOf(card.promised, moment.now);
  const technician = card.technician === null ? [texts.nobody] : nameForms(card.technician);
  const advisor = moment.upright || card.advisor === '' ? '' : ` · ${card.advisor}`;
  return (
    <article
      class={classes('card row', !place.isGone && due.kind, ...stateClasses(place))}
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
          <FittingText as="span" class="cut fit" texts={stageAndVehicle(card)} />
        </p>
        <p class="line what">
          <FittingText as="span" class="cut fit" texts={technician.map((name) => name + advisor)} />
        </p>
      </div>
      {place.isGone ? <GoneWhen /> : <WhenDue due={due} moment={moment} />}
    </article>
  );
}

function Square({ category }: { category: Category }) {
  return (
    <div class={`square ${category} ${categories[category].colour}`}>
      <Icon name={category} />
      <Replaced text={texts.category[category]} />
    </div>
  );
}

function GoneWhen() {
  return (
    <div key="gone" class="when">
      <span class="gone-sign">{texts.gone}</span>
    </div>
  );
}

/** The due time, large, and its meaning in words below. */
function WhenDue({ due, moment }: { due: Due; moment: Moment }) {
  if (due.kind === 'none') return <div class="when quiet">{texts.noPromise}</div>;
  const whole = dayAndTime(due.time, moment.now, moment.zone);
  // Behind a day there is no room for more on an upright screen.
  const time = moment.upright && whole.includes(' ') ? withoutHalf(whole) : whole;
  const format = moment.upright ? formatApproximate : formatDuration;
  if (due.kind === 'overdue') {
    const span = format(due.minutes);
    return (
      <div key={`overdue ${span}`} class="when">
        <b>
          <Icon name="overdue" weight={2.4} />
          {span}
        </b>
        <span class="strong">
          {texts.overdueWord}
          {!moment.upright && ` · ${time}`}
        </span>
      </div>
    );
  }
  const isSoon = due.kind === 'soon';
  const minutes = minutesUntil(due.time, moment.now);
  const until =
    minutes === 0 ? texts.dueNow : texts.dueIn(isSoon ? formatDuration(minutes) : format(minutes));
  return (
    <div key={`${time} ${until}`} class="when">
      <b>{time}</b>
      <span class={isSoon ? 'strong' : ''}>
        {isSoon && <Icon name="due" weight={2.4} />}
        {until}
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
      class={classes(
        'card row',
        !place.isGone && weeks === 2 && 'overdue',
        !place.isGone && weeks === 1 && 'soon',
        ...stateClasses(place),
      )}
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
          <Replaced class="word" text={texts.category[card.status]} />
        </p>
        <p class="line what">
          <FittingText as="span" class="cut fit" texts={vehicleForms(card.vehicle)} />
        </p>
        {place.isGone ? <GoneSign /> : <PreparationLine card={card} weeks={weeks} />}
      </div>
    </article>
  );
}

/** How far the car is, who has it, and whether it has been here for too long. */
function PreparationLine({ card, weeks }: { card: UsedPdiCard; weeks: number }) {
  const ready = card.stage === 'ready';
  const step = stages.indexOf(card.stage);
  // That nobody has it is said by the first stage. Spaces at the end of a word in a line of several are not drawn.
  const dot = weeks > 0 || step === 0 ? '' : '\u00a0·\u00a0';
  return (
    <p key={`${weeks} ${card.stage}`} class="line what">
      {weeks > 0 && (
        <span class="due strong long-stay">
          <Icon name={weeks === 2 ? 'overdue' : 'long'} weight={2.4} />
          {weeks === 2 ? texts.overTwoWeeks : texts.overWeek}
        </span>
      )}
      {ready && (
        <span class="sign done">
          <Icon name="ready" weight={3} />
        </span>
      )}
      <b>{(texts.preparation[step] ?? texts.stage[card.stage]) + dot}</b>
      {dot && <FittingText as="span" class="cut fit" texts={nameForms(card.technician ?? texts.nobody)} />}
    </p>
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
  const delayed = due.kind === 'overdue' && !ready && !place.isGone;
  return (
    <article
      class={classes(
        'card row guest',
        ready && !place.isGone && 'ready',
        delayed && 'delayed',
        ...stateClasses(place),
      )}
      style={{ height: place.height }}
      data-key={card.key}
    >
      <b class="name" dir="auto">
        {card.who}
      </b>
      <div class="progress">{!place.isGone && <Progress stage={card.stage} />}</div>
      {place.isGone ? (
        <GoneWhen />
      ) : ready || delayed ? (
        <div key={card.stage} class="when">
          <span class={delayed ? 'strong' : ''}>
            {delayed && <Icon name="long" weight={2.4} />}
            {delayed ? texts.delayed : texts.pickUp}
          </span>
        </div>
      ) : (
        <Expected due={due} moment={moment} />
      )}
    </article>
  );
}

function Progress({ stage }: { stage: Stage }) {
  const at = stages.indexOf(stage);
  return (
    <>
      <p key={stage} class="stage">
        {stage === 'ready' && <Icon name="ready" weight={3} />}
        {texts.stage[stage]}
      </p>
      <p class="steps" aria-hidden="true">
        {stages.map((one, step) => (
          <i key={one} class={step <= at ? 'done' : ''} />
        ))}
      </p>
    </>
  );
}

function Expected({ due, moment }: { due: Due; moment: Moment }) {
  if (due.kind === 'none') return <div class="when" />;
  const time = dayAndTime(due.time, moment.now, moment.zone);
  return (
    <div key={time} class="when">
      <b>{time}</b>
      <span>{texts.readyAround}</span>
    </div>
  );
}
