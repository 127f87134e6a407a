// The arrow keys among cars. A lane is one stop for Tab, since 28 lanes have more than a hundred cars: left and right lead
// along it, up and down to the next row that has cars.
import type { KeyboardEvent } from 'react';

const CAR = '[data-car]';

export function goToCar(event: KeyboardEvent<HTMLElement>): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey, target, currentTarget: lane } = event;
  if (altKey || ctrlKey || metaKey || shiftKey || !(target instanceof HTMLElement)) return;
  const cars = [...lane.querySelectorAll<HTMLElement>(CAR)];
  const at = cars.findIndex((car) => car.contains(target));
  if (at < 0) return;
  const goal = key === 'ArrowUp' || key === 'ArrowDown' ? carInRow(lane, key, at) : carInLane(cars, key, at);
  if (goal === undefined) return;
  event.preventDefault();
  goal.focus();
}

function carInLane(cars: readonly HTMLElement[], key: string, at: number): HTMLElement | undefined {
  switch (key) {
    case 'ArrowLeft':
      return cars[at - 1];
    case 'ArrowRight':
      return cars[at + 1];
    case 'Home':
      return cars[0];
    case 'End':
      return cars.at(-1);
    default:
      return undefined;
  }
}

function carInRow(lane: HTMLElement, key: 'ArrowUp' | 'ArrowDown', at: number): HTMLElement | undefined {
  const lanes = [...document.querySelectorAll('[data-lane]')];
  const place = lanes.indexOf(lane) + (key === 'ArrowUp' ? -1 : 1);
  const cars = lanes[place]?.querySelectorAll<HTMLElement>(CAR) ?? [];
  return cars[Math.min(at, cars.length - 1)];
}
