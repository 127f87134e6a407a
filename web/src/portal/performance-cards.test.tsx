import { render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TechnicianClock } from '../api/clock.ts';
import { NOW, running, technicianClock } from './clock.fixture.ts';
import { PerformanceCards } from './performance-cards.tsx';

vi.mock('../shop/shop.ts', async (original) => {
  const { shop } = await original<typeof import('../shop/shop.ts')>();
  return { shop: { ...shop, timeZone: 'America/New_York' } };
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) });
});
afterEach(() => vi.useRealTimers());

/** What the card says of today or of this week: the figure, and the line below it. */
function hours(changes: Partial<TechnicianClock>) {
  render(<PerformanceCards clock={technicianClock(changes)} active={1} />);
  const card = within(screen.getByRole('region', { name: 'Hours' }));
  return ['Today', 'This Week'].map((name) => {
    const group = card.getByText(name).parentElement;
    if (group === null) throw new Error(`${name} stands alone.`);
    return within(group).getAllByRole('definition');
  });
}
const texts = (figures: HTMLElement[][]) => figures.map((lines) => lines.map((line) => line.textContent));

describe('the sold hours', () => {
  test('of today and of this week stand beside the clocked ones', () => {
    const shown = hours({
      today: { jobsMs: 80 * MINUTE, attendedMs: 90 * MINUTE, soldHours: 2.25 },
      week: { jobsMs: 10 * HOUR, attendedMs: 11 * HOUR, soldHours: 31.5 },
    });
    expect(texts(shown)).toEqual([
      ['1 h 20 min on jobs', '2.25 h sold · 1 h 30 min on the clock'],
      ['10 h on jobs', '31.5 h sold · 11 h on the clock'],
    ]);
  });

  test('stand alone where all of the time was on jobs', () => {
    const day = { jobsMs: 2 * HOUR, attendedMs: 2 * HOUR, soldHours: 3 };
    expect(texts(hours({ today: day, week: { ...day, soldHours: 4 } }))).toEqual([
      ['2 h on jobs', '3 h sold'],
      ['2 h on jobs', '4 h sold'],
    ]);
  });

  test('count where nothing was clocked', () => {
    const week = { jobsMs: 0, attendedMs: 0, soldHours: 1.2 };
    expect(texts(hours({ week }))).toEqual([['–Nothing counted yet'], ['0 min on jobs', '1.2 h sold']]);
  });
});

describe('a clock that runs', () => {
  const day = { jobsMs: HOUR, attendedMs: 2 * HOUR, soldHours: 2 };
  const scene = (forgotten: boolean) => ({
    running: running([1, 1], { forgotten }),
    today: day,
    week: day,
  });

  test('and was forgotten puts today’s hours and the week’s in doubt', () => {
    vi.setSystemTime(Date.parse(NOW) + 18 * HOUR);
    const shown = hours(scene(true));
    const doubt = 'a forgotten clock included';
    // Three hours after the shop's midnight.
    expect(texts(shown)).toEqual([
      ['3 h on jobs', doubt],
      ['19 h on jobs', doubt],
    ]);
    for (const [figure] of shown) expect(figure).toHaveClass('text-stale');
  });

  test('and was not forgotten puts nothing in doubt', () => {
    vi.setSystemTime(Date.parse(NOW) + HOUR);
    const shown = hours(scene(false));
    const certain = ['2 h on jobs', '2 h sold · 3 h on the clock'];
    expect(texts(shown)).toEqual([certain, certain]);
    for (const [figure] of shown) expect(figure).not.toHaveClass('text-stale');
  });
});

describe('on the next day, of which the server has said nothing yet,', () => {
  const day = { jobsMs: HOUR, attendedMs: HOUR, soldHours: 2 };
  const efficiency = { percent: 90, soldHours: 9, clockedHours: 10, jobsWithoutHours: 0 };
  const worked = { today: day, week: day, efficiency, completedToday: 3, completedWeek: 9 };
  const completed = () => {
    const group = screen.getByText('Completed').parentElement;
    return within(group ?? document.body)
      .getAllByRole('definition')
      .map((line) => line.textContent);
  };

  test('nothing is shown as today’s that was yesterday’s', () => {
    vi.setSystemTime(Date.parse(NOW) + 18 * HOUR);
    expect(texts(hours(worked))).toEqual([['–Nothing counted yet'], ['1 h on jobs', '2 h sold']]);
    expect(completed()).toEqual(['–Nothing counted yet']);
    expect(screen.getByText('90 %')).toBeInTheDocument();
  });

  test('nor is last week this one', () => {
    vi.setSystemTime(Date.parse(NOW) + 7 * 24 * HOUR);
    expect(texts(hours(worked))).toEqual([['–Nothing counted yet'], ['–Nothing counted yet']]);
    expect(completed()).toEqual(['–Nothing counted yet']);
    expect(screen.queryByText('90 %')).toBeNull();
  });
});
