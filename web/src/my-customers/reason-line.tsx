// One reason to call a customer: a word with its shape and colour, and the figures or times that explain it.
import {
  AlarmClock,
  CircleCheck,
  type LucideIcon,
  MessageCircleQuestionMark,
  TriangleAlert,
} from 'lucide-react';
import type { CallReason, CustomerToCall, ReasonToCall } from '../api/customer-calls.ts';
import type { Hold } from '../api/stages.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { isHoldDue } from '../repair-order/hold-text.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { promiseText } from '../repair-order/promise-text.ts';
import { type Clock, useClock } from '../shop/clock.ts';

const looks: Record<CallReason, { Glyph: LucideIcon; ink: string; tint: string }> = {
  late: { Glyph: TriangleAlert, ink: 'text-danger', tint: 'bg-danger-tint' },
  'at-risk': { Glyph: AlarmClock, ink: 'text-stale', tint: 'bg-stale-tint' },
  approval: { Glyph: MessageCircleQuestionMark, ink: 'text-drop', tint: 'bg-drop-tint' },
  ready: { Glyph: CircleCheck, ink: 'text-used', tint: 'bg-used-tint' },
};

interface ReasonLineProps {
  reason: ReasonToCall;
  customer: CustomerToCall;
  order: RepairOrder;
}

export function ReasonLine({ reason: one, customer, order }: ReasonLineProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const { Glyph, ink, tint } = looks[one.reason];
  const isCalled = one.calledAt !== null;
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 md:flex-nowrap gap-y-0.5 text-13">
      <span
        className={`inline-flex items-center gap-1 self-start rounded-sm px-1.5 py-0.5 text-12 font-semibold whitespace-nowrap shrink-0 ${isCalled ? 'bg-sunken text-quiet' : `${ink} ${tint}`}`}
      >
        <Glyph aria-hidden className="size-3.5 shrink-0" />
        {t(`stages.calls.reason.${one.reason}`)}
      </span>
      <span className={`min-w-0 max-md:w-full ${isCalled ? 'text-quiet' : ''}`}>
        <Why reason={one} customer={customer} order={order} clock={clock} />
      </span>
      {one.calledAt !== null && (
        <span title={clock.full(Date.parse(one.calledAt))} className="shrink-0 text-12 text-quiet">
          {t('stages.calls.calledAt', { time: clock.short(Date.parse(one.calledAt)) })}
        </span>
      )}
    </li>
  );
}

function Why({ reason: { reason, since }, customer, order, clock }: ReasonLineProps & { clock: Clock }) {
  const { t, locale } = useTranslation();
  const time = clock.short(Date.parse(since));
  switch (reason) {
    case 'late':
    case 'at-risk':
      return customer.promise === null
        ? t('stages.promise.promised', { time })
        : promiseText(customer.promise, { t, locale, short: clock.short });
    case 'approval': {
      const hold = order.holds.find((one) => one.reason === 'approval' && one.whoActs === 'advisor');
      return (
        <>
          {t('stages.calls.waits', { time })}
          {hold !== undefined && <Approval hold={hold} clock={clock} />}
        </>
      );
    }
    case 'ready':
      return t('stages.calls.readySince', { time });
  }
}

/** Until when an answer was expected, and what was noted. */
function Approval({ hold, clock }: { hold: Hold; clock: Clock }) {
  const { t } = useTranslation();
  const { expectedUntil, note } = hold;
  return (
    <>
      {expectedUntil != null && (
        <>
          {', '}
          {t(isHoldDue(hold, clock.now) ? 'stages.calls.dueSince' : 'stages.calls.expected', {
            time: clock.short(Date.parse(expectedUntil)),
          })}
        </>
      )}
      {note !== undefined && note !== '' && <span className="block break-words text-quiet">{note}</span>}
    </>
  );
}
