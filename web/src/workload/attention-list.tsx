// What needs a hand, on top of the technicians: each line leads to where it is put right.
import { useQuery } from '@tanstack/react-query';
import { AlarmClock, BellOff, CircleAlert, Hourglass, type LucideIcon, Pause, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { useAllAssignmentStates } from '../repair-order/receipts.ts';
import { useClock } from '../shop/clock.ts';
import { type Attention, attentionOf } from './attention.ts';

/** A screen full of lines would push the technicians out of sight. */
const SHOWN_AT_FIRST = 6;

export function AttentionList({ technicians }: { technicians: readonly Workload[] }) {
  const { t } = useTranslation();
  const { now } = useClock();
  const { data: cache } = useQuery(openOrders);
  const assignments = useAllAssignmentStates();
  const [showsAll, showAll] = useState(false);
  const orders = [...(cache?.open.values() ?? [])].map(({ order }) => order);
  const all = attentionOf({ orders, assignments, technicians }, now);
  if (all.length === 0) return null;
  const nameOf = (id: number) => technicians.find((one) => one.technicianId === id)?.fullName ?? `#${id}`;
  return (
    <section aria-labelledby="attention" className="rounded-lg border border-line bg-raised">
      <h2 id="attention" className="px-3 pt-2 text-13 font-semibold">
        {t('workload.attention.title', { count: all.length })}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,24rem),1fr))] gap-x-4 px-1.5 pb-1.5">
        {(showsAll ? all : all.slice(0, SHOWN_AT_FIRST)).map((attention) => (
          <li key={keyOf(attention)} className="min-w-0">
            <AttentionLine attention={attention} nameOf={nameOf} />
          </li>
        ))}
      </ul>
      {all.length > SHOWN_AT_FIRST && (
        <button
          type="button"
          aria-expanded={showsAll}
          onClick={() => showAll(!showsAll)}
          className="mb-1.5 ml-1.5 inline-flex h-8 items-center rounded-md px-2 text-13 font-medium text-accent hover:bg-accent-tint max-md:h-11 pointer-coarse:h-11"
        >
          {showsAll
            ? t('workload.attention.fewer')
            : t('workload.attention.more', { count: all.length - SHOWN_AT_FIRST })}
        </button>
      )}
    </section>
  );
}

function keyOf(attention: Attention): string {
  const subject = 'order' in attention ? attention.order.key : attention.technician.technicianId;
  return `${attention.kind} ${subject}`;
}

interface AttentionLineProps {
  attention: Attention;
  nameOf(technician: number): string;
}

const GLYPHS: Record<Attention['kind'], readonly [LucideIcon, string]> = {
  'handed-back': [Undo2, 'text-danger'],
  unassigned: [AlarmClock, 'text-danger'],
  'not-accepted': [BellOff, 'text-stale'],
  forgotten: [Hourglass, 'text-stale'],
  idle: [Pause, 'text-accent'],
};

function AttentionLine({ attention, nameOf }: AttentionLineProps) {
  const { kind } = attention;
  const [glyph, ink] = GLYPHS[kind];
  const Glyph = kind === 'unassigned' && attention.due.kind === 'overdue' ? CircleAlert : glyph;
  return (
    <Link
      to={
        'order' in attention
          ? `/?ro=${attention.order.key}`
          : `/technicians/${attention.technician.technicianId}`
      }
      className="flex min-h-8 min-w-0 items-center gap-2 rounded-md px-1.5 text-13 hover:bg-sunken max-md:min-h-11 pointer-coarse:min-h-11"
    >
      <Glyph aria-hidden className={`size-4 shrink-0 ${ink}`} />
      <Words attention={attention} nameOf={nameOf} />
    </Link>
  );
}

function Words({ attention, nameOf }: AttentionLineProps): ReactNode {
  const { t } = useTranslation();
  const clock = useClock();
  switch (attention.kind) {
    case 'unassigned': {
      const time = clock.short(attention.order.promised ?? attention.order.eta);
      return (
        <OrderWords attention={attention} text={t(`workload.attention.${attention.due.kind}`, { time })} />
      );
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
        <span className="min-w-0 truncate">
          <span className="font-semibold">{fullName}</span>{' '}
          <span className="text-quiet">{t(`workload.attention.${attention.kind}`, { time })}</span>
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
    <span className="min-w-0 truncate" title={text}>
      <span className="font-semibold tabular-nums">{order.roNumber}</span> <span>{text}</span>{' '}
      <span className="text-quiet">{order.vehicle}</span>
    </span>
  );
}
