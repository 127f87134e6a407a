// A car in a technician's lane. Whoever may dispatch moves it: by dragging it to another row, or by choosing a technician
// (click, Enter, Space or M). For everybody else, and where only the dealer system assigned it, it is a link to the order.
import { useDraggable } from '@dnd-kit/core';
import { Link } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { useIsChanging } from '../repair-order/pending-changes.ts';
import { useClock } from '../shop/clock.ts';
import { CarFace, carTitle } from './car-face.tsx';
import type { Car } from './lanes.ts';
import type { MovingCar } from './moves.ts';

/** Asks whom a car is to be moved to; the question stands at its chip. */
export type AskWhom = (car: Pick<MovingCar, 'from'> & { order: number }, chip: HTMLElement) => void;

interface CarChipProps {
  car: Car;
  technicianId: number;
  /** Null for users who may not dispatch. */
  askWhom: AskWhom | null;
  /** Tab leads to it, and from there the arrow keys to the others. */
  isFirst: boolean;
}

export function CarChip({ askWhom, ...props }: CarChipProps) {
  return askWhom === null || props.car.isEtl ? (
    <LinkedCar {...props} />
  ) : (
    <MovableCar {...props} askWhom={askWhom} />
  );
}

function LinkedCar({ car, isFirst }: Pick<CarChipProps, 'car' | 'isFirst'>) {
  const { t } = useTranslation();
  const clock = useClock();
  const { order } = car.shown;
  return (
    <Link
      to={`/?ro=${order.key}`}
      tabIndex={isFirst ? 0 : -1}
      data-car={order.key}
      title={carTitle(car, t, clock)}
      className={`${chip} ${toneOf(car)} ${car.isEtl ? 'border-dashed' : ''}`}
    >
      <CarFace car={car} verb={t('order.open', { number: order.roNumber })} />
    </Link>
  );
}

function MovableCar({ car, technicianId, askWhom, isFirst }: CarChipProps & { askWhom: AskWhom }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { shown, jobsLeft } = car;
  const order = shown.order.key;
  const isChanging = useIsChanging('technicians', order);
  const taken: MovingCar = { shown, from: technicianId, jobsLeft };
  const { setNodeRef, listeners, attributes, isDragging } = useDraggable({
    id: `${technicianId} ${order}`,
    data: taken,
    disabled: isChanging,
  });
  const ask = (element: HTMLElement) => {
    if (!isChanging) askWhom({ order, from: technicianId }, element);
  };
  return (
    <button
      type="button"
      ref={setNodeRef}
      {...listeners}
      tabIndex={isFirst ? 0 : -1}
      data-car={order}
      title={carTitle(car, t, clock)}
      aria-describedby={attributes['aria-describedby']}
      aria-haspopup="dialog"
      aria-busy={isChanging || undefined}
      onClick={(event) => ask(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey) return;
        // It would be typed into the field of the technicians.
        event.preventDefault();
        ask(event.currentTarget);
      }}
      className={`${chip} ${toneOf(car)} touch-manipulation md:cursor-grab ${isDragging || isChanging ? 'opacity-40' : ''}`}
    >
      <CarFace car={car} verb={t('workload.move.ro', { number: shown.order.roNumber })} />
    </button>
  );
}

const toneOf = ({ place }: Car) =>
  place === 'now' ? 'border-accent bg-accent-tint' : 'border-line bg-page hover:border-line-strong';

const chip =
  'flex h-9 w-full min-w-0 flex-col justify-center rounded-md border px-1.5 text-left max-md:h-11 pointer-coarse:h-11';

/** The chip under the pointer while it is dragged. */
export function HeldCar({ car }: { car: Car }) {
  const { t } = useTranslation();
  return (
    <div className={`${chip} w-44 cursor-grabbing border-accent bg-raised shadow-pop`}>
      <CarFace car={car} verb={t('workload.move.ro', { number: car.shown.order.roNumber })} />
    </div>
  );
}
