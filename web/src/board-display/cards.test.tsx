import { type ComponentChild, render } from 'preact';
import { describe, expect, test, vi } from 'vitest';
import { at, inLounge, onFloor, queued } from './board.fixture.ts';
import type { LoungeCard, ShopFloorCard, UsedPdiCard } from './board-state.ts';
import { LoungeCarCard, QueueCarCard, UsedPdiCarCard } from './cards.tsx';
import { CarLine, ShopFloorCarCard } from './shop-floor-card.tsx';
import { Stopwatch } from './stopwatch.tsx';
import { setLanguage } from './texts.ts';

const card: ShopFloorCard = {
  key: 'a',
  roNumber: '4389',
  customer: 'Lovelace',
  vehicle: '2003 Honda Accord EX',
  tagNumber: 'T118',
  status: 'Drop',
  priority: 'Medium',
  technicianIds: [1],
  promised: null,
  opened: '2026-11-18T12:41:20Z',
  jobs: 1,
  done: 0,
};
const moment = { now: Date.parse('2026-11-18T16:41:20Z'), zone: [], upright: false };
const place = { height: '6em', changed: false, isGone: false };

function renderedText(one: ShopFloorCard): string {
  const board = document.createElement('div');
  render(<ShopFloorCarCard card={one} since={null} moment={moment} place={place} />, board);
  return [...board.querySelectorAll('.line')].map((line) => line.textContent).join('|');
}

test('a car on the shop floor is shown with its tag, if it has one', () => {
  expect(renderedText(card)).toMatch(/^4389.*\|LovelaceT118\|2003 Honda Accord EX\|/);
  expect(renderedText({ ...card, tagNumber: '' })).toMatch(/^4389.*\|Lovelace\|2003 Honda Accord EX\|/);
});

test('a name that the dealer system sends in upper case is shown as the desk shows it', () => {
  expect(renderedText({ ...card, customer: 'DELGADO & SONS' })).toContain('|Delgado & SonsT118|');
});

test('in a shop with stages of work a car says in which it is, and is ready when that is said', () => {
  const stageName = { en: 'Waiting for parts', es: 'Esperando piezas', de: 'Wartet auf Teile' };
  const placed = { ...card, stage: 'in-work', stageName, jobs: 1, done: 1, promised: null } as const;
  expect(renderedText(placed)).toMatch(/\|Waiting for parts · 2003 Honda Accord EX\|(?!Ready)/);
  expect(renderedText({ ...placed, stage: 'ready' })).toMatch(/\|Ready$/);
  setLanguage('de');
  expect(renderedText(placed)).toContain('|Wartet auf Teile · 2003 Honda Accord EX|');
  setLanguage('en');
});

function drawn(card: ComponentChild): HTMLElement {
  const board = document.createElement('div');
  render(card, board);
  return board;
}

const gone = { ...place, isGone: true };

const usedCar: UsedPdiCard = {
  key: 'u',
  roNumber: '4711',
  vehicle: '2019 Kia Soul',
  status: 'Used',
  opened: at(-60),
  technician: 'Wyatt McCoy',
  stage: 'in-work',
};

test('a used car says how far it is and who has it, and after a week how long it has been here, too', () => {
  const text = (part: Partial<UsedPdiCard>) =>
    drawn(
      <UsedPdiCarCard card={{ ...usedCar, ...part }} moment={moment} place={place} />,
    ).textContent?.replace(/\u00a0/g, ' ');
  expect(text({})).toContain('Being worked on · Wyatt McCoy');
  expect(text({ stage: 'in-line' })).toContain('Dispatched · Wyatt McCoy');
  expect(text({ stage: 'checked-in', technician: null })).toMatch(/To be dispatched$/);
  expect(text({ stage: 'ready', opened: at(-8 * 1_440) })).toMatch(/Over a week.*Ready/);
});

test('a new car in preparation says how far it is as a used one does, and that it is one', () => {
  const text = (stage: UsedPdiCard['stage'], technician: string | null = 'Hank Mueller') =>
    drawn(
      <UsedPdiCarCard
        card={{ ...usedCar, status: 'PDI', stage, technician }}
        moment={moment}
        place={place}
      />,
    ).textContent?.replace(/\u00a0/g, ' ');
  expect(text('checked-in', null)).toMatch(/4711PDI2019 Kia SoulTo be dispatched$/);
  expect(text('in-line')).toMatch(/PDI.*Dispatched · Hank Mueller$/);
  expect(text('in-work')).toMatch(/PDI.*Being worked on · Hank Mueller$/);
  expect(text('almost-done')).toMatch(/PDI.*Almost done · Hank Mueller$/);
  expect(text('ready')).toMatch(/PDI.*Ready · Hank Mueller$/);
});

describe('a car of the lounge', () => {
  const when = (promised: string | null, stage: LoungeCard['stage'] = 'in-work') => {
    const card = drawn(
      <LoungeCarCard card={inLounge('l', { promised, stage })} moment={moment} place={place} />,
    );
    return [card.querySelector('.when')?.textContent, card.querySelector('.delayed') !== null];
  };

  test.each<[string, string | null]>([
    ['for tomorrow', at(1_440)],
    ['for the next hours', at(90)],
    ['for the next minutes', at(2)],
    ['for this minute', at(0)],
    ['for nothing', null],
  ])('that is promised %s does not take longer', (_, promised) => {
    for (const stage of ['checked-in', 'in-line', 'in-work', 'almost-done'] as const) {
      const [text, isDelayed] = when(promised, stage);
      expect(text).toMatch(promised === null ? /^$/ : /Expected$/);
      expect(isDelayed).toBe(false);
    }
  });

  test('that is late takes longer, until it is ready', () => {
    expect(when(at(-1))).toEqual(['Taking longer', true]);
    expect(when(at(-1), 'checked-in')).toEqual(['Taking longer', true]);
    expect(when(at(-300), 'ready')).toEqual(['Please see the desk', false]);
  });
});

test('a car that left shows no promise and no stage as if it were true, on every layout', () => {
  const late = { promised: at(-30) };
  const cards = [
    <ShopFloorCarCard key="f" card={onFloor('f', late)} since={null} moment={moment} place={gone} />,
    <QueueCarCard key="q" card={queued('q', late.promised)} moment={moment} place={gone} />,
    <UsedPdiCarCard key="u" card={usedCar} moment={moment} place={gone} />,
    <LoungeCarCard key="l" card={inLounge('l', { stage: 'ready', ...late })} moment={moment} place={gone} />,
    <LoungeCarCard
      key="w"
      card={inLounge('w', { stage: 'in-work', ...late })}
      moment={moment}
      place={gone}
    />,
  ];
  for (const card of cards) {
    const board = drawn(card);
    expect(board.textContent).toContain('No longer here');
    expect(board.textContent).not.toMatch(/Overdue|Taking longer|Please see the desk|Ready|Being worked on/);
    expect(board.querySelector('.gone')).not.toBeNull();
    expect(board.querySelector('.overdue, .soon, .ready, .delayed')).toBeNull();
  }
});

test('a car in one line has its number and when it is due, and is ready when every job is done', () => {
  const text = (part: Partial<ShopFloorCard>, isGone = false) =>
    drawn(
      <CarLine card={onFloor('7', part)} runs={false} moment={moment} state={{ changed: false, isGone }} />,
    ).textContent;
  expect(text({ promised: at(-90) })).toBe('7+1 h');
  expect(text({ promised: at(20) })).toBe('720 min');
  expect(text({ promised: at(2 * 1_440) })).toMatch(/^7Fr \d?\d:\d\d$/);
  expect(text({ promised: null, jobs: 2, done: 2 })).toBe('7Ready');
  // Whoever waits for it is waiting still.
  expect(text({ promised: at(-90), jobs: 2, done: 2 })).toBe('7+1 h');
  expect(text({ promised: at(-90) }, true)).toBe('7Gone');
});

test('a promise of another day has no half of the day on an upright screen', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
  setLanguage('en');
  const time = (promised: string, upright: boolean) =>
    drawn(
      <QueueCarCard card={queued('q', promised)} moment={{ ...moment, upright }} place={place} />,
    ).querySelector('.when b')?.textContent;
  expect(time(at(1_440), false)).toBe('Thu 4:41\u00a0PM');
  expect(time(at(1_440), true)).toBe('Thu 4:41');
  expect(time(at(60), true)).toBe('5:41\u00a0PM');
  expect(time('2027-04-14T12:00:00Z', true)).toBe('14 Apr');
  vi.restoreAllMocks();
});

test('what is written of a car that becomes due soon is drawn anew, and does not move for its sign', () => {
  const promised = '2026-11-18T17:12:00Z';
  const board = document.createElement('div');
  const untilAt = (time: string) => {
    const now = Date.parse(`2026-11-18T${time}Z`);
    render(<QueueCarCard card={queued('q', promised)} moment={{ ...moment, now }} place={place} />, board);
    return board.querySelector('.when span');
  };
  const before = untilAt('16:41:40');
  expect([before?.textContent, before?.className]).toEqual(['In 31 min', '']);
  const after = untilAt('16:42:00');
  expect([after?.textContent, after?.className]).toEqual(['In 30 min', 'strong']);
  expect(after).not.toBe(before);
});

test('the clock of a technician who is on no job has another sign than one that runs on a car', () => {
  const signOf = (isIdle: boolean) => {
    const board = document.createElement('div');
    render(<Stopwatch since={at(-30)} now={Date.parse(at(0))} isIdle={isIdle} />, board);
    return board.querySelector('path')?.getAttribute('d');
  };
  expect(signOf(false)).toBeTruthy();
  expect(signOf(true)).not.toBe(signOf(false));
});
