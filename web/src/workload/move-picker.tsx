// Whom a car is moved to, chosen at its chip: the best fit first, each with what their today would become.
import { ExternalLink } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import {
  CandidateLine,
  type CandidateOption,
  useCandidateOptions,
} from '../repair-order/candidate-options.tsx';
import { useConcurrentChange } from '../repair-order/concurrent-change.ts';
import type { AssignedTechnician } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { useIsChanging } from '../repair-order/pending-changes.ts';
import { usePresenceAt } from '../repair-order/presence.ts';
import { useOrders } from '../repair-order/use-orders.ts';
import { useClock } from '../shop/clock.ts';
import { Picker, type PickerOption } from '../ui/picker.tsx';
import { jobsLeft } from './lanes.ts';
import { withCar } from './today.ts';
import { projectionText } from './today-texts.ts';

interface MovePickerProps {
  order: number;
  /** Whose row the chip stands in. */
  from: number;
  chip: HTMLElement;
  all: readonly Workload[];
  move(shown: OpenOrder, to: AssignedTechnician): void;
  close(): void;
}

export function MovePicker(props: MovePickerProps) {
  const { order, from, close } = props;
  const cache = useOrders();
  const shown = cache?.open.get(order);
  const isOver =
    useIsChanging('technicians', order) || !shown?.order.technicians.some(({ id }) => id === from);
  usePresenceAt([order]);
  useEffect(() => {
    if (isOver) close();
  }, [isOver, close]);
  return isOver || shown === undefined ? null : <LivePicker {...props} shown={shown} />;
}

type MoveOption = (CandidateOption & { kind: 'move' }) | (PickerOption & { kind: 'open' });

function LivePicker({ shown, from, chip, all, move, close }: MovePickerProps & { shown: OpenOrder }) {
  const { t, locale } = useTranslation();
  const { now } = useClock();
  const navigate = useNavigate();
  const { order } = shown;
  const { options: candidates, failed } = useCandidateOptions(order);
  const concurrentChange = useConcurrentChange(shown, order.allRegularTechs);
  const giver = all.find(({ technicianId }) => technicianId === from);
  const car = { shown, from, jobsLeft: jobsLeft(order, giver?.finishedJobs ?? []) };
  const then = (id: number) => {
    const technician = all.find(({ technicianId }) => technicianId === id);
    if (technician === undefined) return null;
    const { text, isToday } = projectionText(technician, withCar(technician, car, now), t, locale);
    const count = technician.counts.total;
    return [isToday ? t('workload.move.after', { text }) : text, t('decision.load', { count })];
  };
  const others = candidates?.map(
    (option): MoveOption => ({
      ...option,
      kind: 'move',
      detail: then(option.technician.id) ?? option.detail,
    }),
  );
  const toOrder: MoveOption = {
    kind: 'open',
    value: 'open',
    text: t('order.open', { number: order.roNumber }),
    always: true,
    neverFirst: true,
    group: '',
  };
  return (
    <Picker
      anchor={chip}
      wide
      hasTitle
      label={t('workload.move.title', { number: order.roNumber })}
      closeLabel={t('details.close')}
      placeholder={t('decision.search')}
      loading={t('decision.loadingTechnicians')}
      none={t(failed ? 'toast.techniciansFailed' : 'decision.noMatch')}
      options={others === undefined && !failed ? null : [...(others ?? []), toOrder]}
      concurrentChange={concurrentChange}
      close={close}
      pick={(option) => {
        if (option.kind === 'move') move(shown, option.technician);
        else void navigate(`/?ro=${order.key}`);
      }}
      draw={(option) =>
        option.kind === 'move' ? (
          <CandidateLine option={option} />
        ) : (
          <>
            <ExternalLink aria-hidden className="size-4 shrink-0 text-quiet" />
            {option.text}
          </>
        )
      }
    />
  );
}
