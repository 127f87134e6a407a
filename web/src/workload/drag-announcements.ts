// What screen readers hear while a car is dragged from one technician to another.
import type { Active, Announcements, Over } from '@dnd-kit/core';
import type { TFunction } from 'i18next';
import type { Workload } from '../api/technicians.ts';
import { type MovingCar, targetOf } from './moves.ts';
import { withCar } from './today.ts';
import { projectionText } from './today-texts.ts';

export function dragAnnouncements(
  t: TFunction,
  locale: string,
  all: readonly Workload[],
  /** The skills that a technician lacks for the car, in words. */
  gapsOf: (technician: number) => string,
  now: number,
): Announcements {
  const technician = (id: unknown) => all.find(({ technicianId }) => technicianId === id);
  const carOf = (active: Active) => active.data.current as MovingCar | undefined;
  const say = (active: Active, words: (car: MovingCar, number: string) => string) => {
    const car = carOf(active);
    return car === undefined ? undefined : words(car, car.shown.order.roNumber);
  };
  /** Whoever would get it from here. */
  const receiver = ({ shown, from }: MovingCar, over: Over | null) => {
    const to = technician(over?.id);
    return to !== undefined && targetOf(shown.order, from, to.technicianId) === 'free' ? to : undefined;
  };
  const stays = ({ active }: { active: Active }) =>
    say(active, (_, number) => t('workload.move.stays', { number }));
  return {
    onDragStart: ({ active }) =>
      say(active, ({ from }, number) =>
        t('workload.move.start', { number, name: technician(from)?.fullName ?? '' }),
      ),
    onDragOver: ({ active, over }) =>
      say(active, (car, number) => {
        const to = receiver(car, over);
        if (to !== undefined) {
          const { text } = projectionText(to, withCar(to, car, now), t, locale);
          const gaps = gapsOf(to.technicianId);
          const today = [t('workload.today.withCar', { text }), gaps].filter(Boolean).join('. ');
          return t('workload.move.over', { number, name: to.fullName, today });
        }
        const name = technician(over?.id)?.fullName;
        return name === undefined || over?.id === car.from
          ? t('workload.move.nowhere', { number })
          : t('workload.move.onIt', { name });
      }),
    onDragEnd: ({ active, over }) =>
      say(active, (car, number) => {
        const to = receiver(car, over);
        if (to === undefined) return t('workload.move.stays', { number });
        return t('workload.move.dropped', { number, name: to.fullName });
      }),
    onDragCancel: stays,
  };
}
