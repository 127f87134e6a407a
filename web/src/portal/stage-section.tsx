// Where a car stands and what it waits for, and the three things that a technician says of it with a tap. Only in a shop
// that uses stages.
import { CloudUpload, MessageSquarePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Hold } from '../api/stages.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { isTooLong, type Stages, stageAppearance, stageNameById } from '../repair-order/stages.ts';
import { useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { QUALITY_CHECK } from './mutations.ts';
import type { PortalOrder } from './order-list.ts';
import { type HoldTap, holdTaps, type SendStageTap } from './stage-taps.ts';

export interface StageControls {
  stages: Stages;
  /** Null for who may only look. */
  tap: SendStageTap | null;
  /** The three taps are a technician's, on their own orders. */
  isOwn: boolean;
  /** Ending a hold is the desk's. */
  mayEnd: boolean;
  /** Asks which job it is, and for a note. `hold`: one that has begun, whose note is written. */
  ask(order: RepairOrder, reason: HoldTap, hold: Hold | null): void;
}

export function StageSection({ listed, staged }: { listed: PortalOrder; staged: StageControls }) {
  const { t } = useTranslation();
  const { order } = listed;
  if (order.stage === null) return null;
  return (
    <section
      aria-label={t('portal.stage.label', { number: order.roNumber })}
      className="mt-2 flex flex-col gap-1.5 border-t border-line pt-2.5 text-13"
    >
      <StageLine order={order} stage={order.stage} staged={staged} />
      {order.holds
        .filter((hold) => hold !== holdOfStage(order))
        .map((hold) => (
          <HoldLine key={hold.id} order={order} hold={hold} staged={staged} />
        ))}
      {staged.isOwn && staged.tap !== null && <StageTaps listed={listed} staged={staged} tap={staged.tap} />}
    </section>
  );
}

const stageOfReason: Record<Hold['reason'], string | null> = {
  parts: 'waiting-for-parts',
  approval: 'waiting-for-approval',
  sublet: 'sublet',
  other: null,
};

/** The hold of the whole order that its stage names: one line says both. */
function holdOfStage({ stage, holds }: RepairOrder): Hold | undefined {
  return holds.find(({ reason, jobNumber }) => jobNumber === undefined && stageOfReason[reason] === stage);
}

function StageLine({ order, stage, staged }: { order: RepairOrder; stage: string; staged: StageControls }) {
  const { t, language } = useTranslation();
  const clock = useClock();
  const known = staged.stages.byId.get(stage);
  const look = stageAppearance[known?.colour ?? 'grey'];
  const hold = holdOfStage(order);
  const isLong = known !== undefined && isTooLong(order, known, clock.now);
  const name = (
    <span className={`rounded-md px-2 py-0.5 font-medium ${look.ink} ${look.tint}`}>
      {stageNameById(staged.stages, stage, language)}
    </span>
  );
  if (hold !== undefined) return <HoldLine order={order} hold={hold} staged={staged} name={name} />;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {name}
      {order.stageSince !== null && (
        <span
          title={clock.full(order.stageSince)}
          className={isLong ? 'font-medium text-stale' : 'text-quiet'}
        >
          {t('portal.stage.since', { time: clock.short(order.stageSince) })}
        </span>
      )}
    </p>
  );
}

interface HoldLineProps {
  order: RepairOrder;
  hold: Hold;
  staged: StageControls;
  /** In place of what it waits for: the stage that says so. */
  name?: ReactNode;
}

function HoldLine({ order, hold, staged, name }: HoldLineProps) {
  const { t } = useTranslation();
  const { reason, jobNumber, note } = hold;
  const waits = t(`portal.stage.waitsFor.${reason}`);
  const what = jobNumber === undefined ? waits : t('portal.stage.ofJob', { job: jobNumber, what: waits });
  return (
    <div>
      <div className="flex items-center gap-2">
        <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
          {name ?? <span className="font-medium">{what}</span>} <HoldTimes hold={hold} />
        </p>
        <HoldButtons order={order} hold={hold} staged={staged} what={what} />
      </div>
      {note !== undefined && note !== '' && <p className="mt-0.5 break-words text-quiet">{note}</p>}
    </div>
  );
}

type HoldButtonsProps = Omit<HoldLineProps, 'name'> & { what: string };

function HoldButtons({ order, hold, staged: { tap, isOwn, mayEnd, ask }, what }: HoldButtonsProps) {
  const { t } = useTranslation();
  const words = { number: order.roNumber, what };
  const own = holdTaps.find((one) => one === hold.reason);
  if (tap === null) return null;
  return (
    <>
      {isOwn && own !== undefined && (
        <button
          type="button"
          aria-label={t('portal.stage.noteOf', words)}
          title={t('portal.stage.note')}
          onClick={() => ask(order, own, hold)}
          className="-my-1.5 grid size-9 shrink-0 place-items-center rounded-md text-quiet hover:bg-sunken hover:text-ink pointer-coarse:-my-2 pointer-coarse:size-11"
        >
          <MessageSquarePlus aria-hidden className="size-4" />
        </button>
      )}
      {mayEnd && (
        <Button
          aria-label={t('portal.stage.endOf', words)}
          onClick={() => tap(order, { kind: 'end-hold', hold })}
          className="-my-1 h-8 shrink-0 px-2.5 text-13"
        >
          {t('portal.stage.end')}
        </Button>
      )}
    </>
  );
}

function HoldTimes({ hold }: { hold: Hold }) {
  const { t } = useTranslation();
  const clock = useClock();
  const since = Date.parse(hold.since);
  const time = clock.short(since);
  if (hold.expectedUntil === undefined)
    return (
      <span title={clock.full(since)} className="text-quiet">
        {t('portal.stage.since', { time })}
      </span>
    );
  const expected = Date.parse(hold.expectedUntil);
  const isDue = expected <= clock.now;
  return (
    <span title={clock.full(expected)} className={isDue ? 'font-medium text-stale' : 'text-quiet'}>
      {t(isDue ? 'portal.stage.sinceDue' : 'portal.stage.sinceExpected', {
        time,
        until: clock.short(expected),
      })}
    </span>
  );
}

interface StageTapsProps {
  listed: PortalOrder;
  staged: StageControls;
  tap: SendStageTap;
}

function StageTaps({ listed: { order, unansweredTaps }, staged, tap }: StageTapsProps) {
  const { stages, ask } = staged;
  if (stages.byId.get(order.stage ?? '')?.kind === 'done') return null;
  const jobs = new Set(order.jobs.map(({ jobNumber }) => jobNumber));
  const hold = (reason: HoldTap) => {
    if (jobs.size > 1) ask(order, reason, null);
    else tap(order, { kind: 'hold', reason });
  };
  const holdsAll = (reason: HoldTap) =>
    order.holds.some((one) => one.reason === reason && (one.jobNumber === undefined || jobs.size <= 1)) ||
    unansweredTaps.some(({ said, jobNumber }) => said === reason && jobNumber === null);
  const place = (id: string | null) => stages.current.findIndex((stage) => stage.id === id);
  // A shop may have deleted it, and a car that is past it is not sent back.
  const mayCheck = place(QUALITY_CHECK) >= 0 && place(order.stage) <= place(QUALITY_CHECK);
  const isQueued = (said: string) => unansweredTaps.some((one) => one.said === said && one.isQueued);
  return (
    <div className="flex gap-1.5">
      {holdTaps.map((reason) => (
        <TapButton
          key={reason}
          name={reason}
          number={order.roNumber}
          isOn={holdsAll(reason)}
          isQueued={isQueued(reason)}
          tap={() => hold(reason)}
        />
      ))}
      {mayCheck && (
        <TapButton
          name="check"
          number={order.roNumber}
          isOn={order.stage === QUALITY_CHECK || unansweredTaps.some(({ said }) => said === QUALITY_CHECK)}
          isQueued={isQueued(QUALITY_CHECK)}
          tap={() => tap(order, { kind: 'check' })}
        />
      )}
    </div>
  );
}

interface TapButtonProps {
  name: HoldTap | 'check';
  number: string;
  /** It was said already. */
  isOn: boolean;
  isQueued: boolean;
  tap(): void;
}

function TapButton({ name, number, isOn, isQueued, tap }: TapButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t(`portal.stage.tapOf.${name}`, { number })}
      aria-pressed={isOn}
      title={isQueued ? t('portal.waits') : undefined}
      // Not `disabled`, which would lose the focus.
      aria-disabled={isOn || undefined}
      onClick={isOn ? undefined : tap}
      className={`inline-flex min-h-9 min-w-0 flex-1 items-center justify-center gap-1.5 rounded-md border px-1.5 py-1 text-12 leading-4 font-semibold pointer-coarse:min-h-11 ${isOn ? 'border-transparent bg-sunken text-quiet' : 'border-line-strong bg-raised hover:border-accent hover:text-accent'}`}
    >
      {isQueued && <CloudUpload aria-hidden className="size-4 shrink-0 text-stale" />}
      <span className="min-w-0">{t(`portal.stage.taps.${name}`)}</span>
    </button>
  );
}
