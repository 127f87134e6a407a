// What needs a hand, on top of the technicians: each line leads to where it is put right.
import { AlarmClock, BellOff, CircleAlert, Hourglass, type LucideIcon, Pause, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useAllAssignmentStates } from '../repair-order/receipts.ts';
import { stateText } from '../repair-order/technician-state.ts';
import { useOrders } from '../repair-order/use-orders.ts';
import { useClock } from '../shop/clock.ts';
import { type Attention, attentionOf } from './attention.ts';

/** A screen full of lines would push the technicians out of sight. */
const SHOWN_AT_FIRST = 6;

export function AttentionList({ technicians }: { technicians: readonly Workload[] }) {
  const { t } = useTranslation();
  const { now } = useClock();
  const cache = useOrders();
  const assignments = useAllAssignmentStates();
  const [showsAll, showAll] = useState(false);
  const orders = [...(cache?.open.values() ?? [])].map(({ order }) => order);
  const all = attentionOf({ orders, assignments, technicians }, now);
  if (all.length === 0) return null;
  const nameOf = (id: number) => technicians.find((one) => one.technicianId === id)?.fullName ?? `#${id}`;
  return (
    <section aria-labelledby="attention" className="rounded-lg border border-line bg-raised">
      <div className="flex min-h-8 items-center justify-between gap-3 pr-1.5 pl-3">
        <h2 id="attention" className="text-13 font-semibold">
          {t('workload.attention.title', { count: all.length })}
        </h2>
        {all.length > SHOWN_AT_FIRST && (
          <button
            type="button"
            aria-expanded={showsAll}
            onClick={() => showAll(!showsAll)}
            className="inline-flex h-8 items-center rounded-md px-2 text-13 font-medium text-accent hover:bg-accent-tint max-md:h-11 pointer-coarse:h-11"
          >
            {showsAll
              ? t('workload.attention.fewer')
              : t('workload.attention.more', { count: all.length - SHOWN_AT_FIRST })}
          </button>
        )}
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))] gap-x-4 px-1.5 pb-1">
        {(showsAll ? all : all.slice(0, SHOWN_AT_FIRST)).map((attention) => (
          <li key={keyOf(attention)} className="min-w-0">
            <AttentionLine attention={attention} nameOf={nameOf} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function keyOf(attention: Attention): string {
  const subject = 'order' in attention ? attention.order.key : attention.technician.technicianId;
  return `${attention.kind} ${subject}`;
}

/** On a phone the time stands on a second line rather than being cut. */
const words = 'min-w-0 max-md:line-clamp-2 md:truncate';

interface AttentionLineProps {
  attention: Attention;
  nameOf(technician: number): string;
}

const GLYPHS: Record<Attention['kind'], readonly [LucideIcon, string]> = {
  'handed-back': [Undo2, 'text-danger'],
  unassigned: [AlarmClock, 'text-stale'],
  'not-accepted': [BellOff, 'text-stale'],
  forgotten: [Hourglass, 'text-stale'],
  idle: [Pause, 'text-accent'],
};

function AttentionLine({ attention, nameOf }: AttentionLineProps) {
  const { kind } = attention;
  const [Glyph, ink] = kind === 'unassigned' ? unassignedGlyph(attention) : GLYPHS[kind];
  return (
    <Link
      to={
        'order' in attention
          ? `/?ro=${attention.order.key}`
          : `/technicians/${attention.technician.technicianId}`
      }
      className="flex min-h-7 min-w-0 items-center gap-2 rounded-md px-1.5 text-13 hover:bg-sunken max-md:min-h-11 pointer-coarse:min-h-11"
    >
      <Glyph aria-hidden className={`size-4 shrink-0 ${ink}`} />
      <Words attention={attention} nameOf={nameOf} />
    </Link>
  );
}

/** Red only for a promise that is late. */
function unassignedGlyph({ order, due }: Extract<Attention, { kind: 'unassigned' }>) {
  if (order.promised === null) return [AlarmClock, 'text-quiet'] as const;
  return due.kind === 'overdue' ? ([CircleAlert, 'text-danger'] as const) : GLYPHS.unassigned;
}

function Words({ attention, nameOf }: AttentionLineProps): ReactNode {
  const { t } = useTranslation();
  const clock = useClock();
  switch (attention.kind) {
    case 'unassigned': {
      const { promised, eta } = attention.order;
      const { kind } = attention.due;
      const text =
        promised === null
          ? t(`workload.attention.${kind}Eta`, { time: clock.short(eta) })
          : t(`workload.attention.${kind}`, { time: clock.short(promised) });
      return <OrderWords attention={attention} text={text} />;
    }
    case 'handed-back': {
      const name = nameOf(attention.technician);
      const text =
        attention.reason === null || attention.reason === ''
          ? t('workload.attention.handedBack', { name })
          : t('workload.attention.handedBackBecause', { name, reason: attention.reason });
      return <OrderWords attention={attention} text={text} />;
    }
    case 'not-accepted': {
      const name = nameOf(attention.technician);
      const time = clock.short(attention.since);
      return <OrderWords attention={attention} text={t('workload.attention.notAccepted', { name, time })} />;
    }
    case 'forgotten':
    case 'idle': {
      const { fullName, clock: theirs } = attention.technician;
      const time = theirs.since === null ? '' : clock.short(Date.parse(theirs.since));
      return (
        <span className={words}>
          <span className="font-semibold">{fullName}</span>{' '}
          <span className="text-quiet">
            {attention.kind === 'forgotten'
              ? t('workload.attention.forgotten', { time })
              : t('workload.clock.since', { state: stateText('idle', t), time })}
          </span>
        </span>
      );
    }
  }
}

function OrderWords({
  attention: { order },
  text,
}: {
  attention: Extract<Attention, { order: unknown }>;
  text: string;
}) {
  return (
    <span className={words} title={text}>
      <span className="font-semibold tabular-nums">{order.roNumber}</span> <span>{text}</span>{' '}
      <span className="text-quiet">{order.vehicle}</span>
    </span>
  );
}
