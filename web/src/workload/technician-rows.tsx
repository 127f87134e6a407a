// The rows of technicians, between which cars are moved: dragged by mouse or finger, or by choosing a technician.
import { DndContext, DragOverlay, MeasuringStrategy, pointerWithin, useSensors } from '@dnd-kit/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { Workload } from '../api/technicians.ts';
import { usePermission } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skillGaps } from '../repair-order/candidate-options.tsx';
import { useChanges } from '../repair-order/change-execution.ts';
import { ConflictDialog } from '../repair-order/conflict-dialog.tsx';
import { closeIfOpen, useDialogHost, useOpenDialog } from '../repair-order/open-dialog.ts';
import type { AssignedTechnician } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { candidatesFor } from '../repair-order/technician-ranking.ts';
import { useOrders } from '../repair-order/use-orders.ts';
import { useClock } from '../shop/clock.ts';
import { usePointerSensors } from '../ui/drag-sensors.ts';
import { type AskWhom, HeldCar } from './car-chip.tsx';
import type { MovedByKeys } from './car-lane.tsx';
import { useCarsInSight } from './cars-in-sight.ts';
import { dragAnnouncements } from './drag-announcements.ts';
import { carsOf, ordersByTechnician } from './lanes.ts';
import { MovePicker } from './move-picker.tsx';
import { type MovingCar, moveOf } from './moves.ts';
import { useStableOrder } from './stable-order.ts';
import { columns, TechnicianRow } from './technician-row.tsx';
import { barScale } from './today.ts';

interface TechnicianRowsProps {
  all: readonly Workload[];
  /** Those of them that pass the search and the filter, sorted. */
  shown: readonly Workload[];
  /** In place of the rows, where none are shown. */
  none: ReactNode;
}

/** What is above the rows may grow while a car is held. */
const measuring = { droppable: { strategy: MeasuringStrategy.Always } };

const noOrders: readonly OpenOrder[] = [];

export function TechnicianRows({ all, shown, none }: TechnicianRowsProps) {
  const { t, locale } = useTranslation();
  const { now } = useClock();
  const mayMove = usePermission('dispatch');
  const cache = useOrders();
  const lanes = useMemo(() => ordersByTechnician(cache?.open.values() ?? []), [cache]);
  const scale = useMemo(() => barScale(all), [all]);
  const [inSight, measured] = useCarsInSight();
  const sensors = useSensors(...usePointerSensors());
  const [held, hold] = useState<MovingCar | null>(null);
  const [asked, ask] = useState<{ order: number; from: number; chip: HTMLElement } | null>(null);
  const gapsOf = useGaps(held);
  const askWhom: AskWhom = useCallback((car, chip) => ask({ ...car, chip }), []);
  const stopAsking = useCallback(() => ask(null), []);
  const movedByKeys = useRef<MovedByKeys | null>(null);
  const move = useMove();
  const rows = useStableOrder(all, shown, held !== null || asked !== null);

  const chosen = (car: OpenOrder, from: number, to: AssignedTechnician) => {
    const technician = all.find(({ technicianId }) => technicianId === from);
    const lane = technician === undefined ? [] : carsOf(technician, lanes.get(from) ?? noOrders);
    const place = lane.findIndex(({ shown: { order } }) => order.key === car.order.key);
    movedByKeys.current = { order: car.order.key, from, place };
    move({ shown: car, from }, to);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      measuring={measuring}
      accessibility={{
        announcements: dragAnnouncements(t, locale, all, gapsOf, now),
        screenReaderInstructions: { draggable: t('workload.move.hint') },
      }}
      // What is decided on is the car as it was when it was picked up.
      onDragStart={({ active }) => hold((active.data.current as MovingCar | undefined) ?? null)}
      onDragCancel={() => hold(null)}
      onDragEnd={({ over }) => {
        hold(null);
        const to = all.find(({ technicianId }) => technicianId === over?.id);
        if (held !== null && to !== undefined) move(held, { id: to.technicianId, name: to.fullName });
      }}
    >
      {rows.length === 0 && none}
      <div className={rows.length === 0 ? 'hidden' : ''}>
        <Heading />
        <ul aria-label={t('workload.technicians')} className="flex flex-col gap-1.5">
          {rows.map((technician, place) => (
            <li key={technician.technicianId} className="min-w-0">
              <TechnicianRow
                technician={technician}
                orders={lanes.get(technician.technicianId) ?? noOrders}
                number={cache?.open.get(technician.clock.roNumber ?? Number.NaN)?.order.roNumber}
                scale={scale}
                inSight={inSight}
                held={held}
                gaps={held === null ? '' : gapsOf(technician.technicianId)}
                askWhom={mayMove ? askWhom : null}
                movedByKeys={movedByKeys}
                measured={place === 0 ? measured : undefined}
              />
            </li>
          ))}
        </ul>
      </div>
      <DragOverlay dropAnimation={null}>
        {held !== null && <HeldCar car={{ ...held, place: null, isEtl: false }} />}
      </DragOverlay>
      {asked !== null && (
        <MovePicker
          key={`${asked.from} ${asked.order}`}
          {...asked}
          all={all}
          move={(car, to) => {
            stopAsking();
            chosen(car, asked.from, to);
          }}
          close={stopAsking}
        />
      )}
      <Conflict />
    </DndContext>
  );
}

/** The skills that each technician lacks for the car that is held, in words; empty until the ranking is there. */
function useGaps(held: MovingCar | null): (technician: number) => string {
  const { t } = useTranslation();
  const { data } = useQuery(candidatesFor(held === null ? [] : [held.shown.order.key]));
  return useMemo(() => {
    const gaps = new Map(data?.map(({ idTechnician, reasons }) => [idTechnician, skillGaps(reasons, t)]));
    return (technician) => gaps.get(technician) ?? '';
  }, [data, t]);
}

/** Sends it as one change, unless there is nothing to change. */
function useMove(): (car: Pick<MovingCar, 'shown' | 'from'>, to: AssignedTechnician) => void {
  const changes = useChanges();
  return ({ shown, from }, to) => {
    const choice = moveOf(shown.order, from, to);
    if (choice !== null) void changes.pick(shown, choice);
  };
}

/** Whoever reads a row hears what each part of it is. */
function Heading() {
  const { t } = useTranslation();
  return (
    <div
      aria-hidden
      className={`${columns} mb-1 border-x border-transparent text-12 text-quiet max-lg:hidden`}
    >
      <span>{t('workload.columns.technician')}</span>
      <span>{t('workload.columns.today')}</span>
      <span className="max-xl:hidden">{t('workload.columns.orders')}</span>
      <span>{t('workload.columns.cars')}</span>
    </div>
  );
}

const KINDS = ['conflict'] as const;

/** Somebody gave the order to somebody else meanwhile: the user decides. */
function Conflict() {
  const dialog = useOpenDialog();
  useDialogHost(KINDS);
  if (dialog?.kind !== 'conflict') return null;
  return <ConflictDialog {...dialog} close={() => closeIfOpen(dialog)} />;
}
