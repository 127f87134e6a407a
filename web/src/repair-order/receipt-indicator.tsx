// The state of an assignment beside the technician's name: a glyph for each stage, and a mark when nobody accepted in
// time or the car was handed back.
import {
  Check,
  CheckCheck,
  CircleCheck,
  Eye,
  Hourglass,
  type LucideIcon,
  TimerOff,
  Undo2,
} from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import type { AssignedTechnician, RepairOrder } from './order.ts';
import { type AssignmentState, type Stage, useAssignmentStates } from './receipts.ts';

const glyphs: Record<Stage, LucideIcon> = {
  waiting: Hourglass,
  sent: Check,
  delivered: CheckCheck,
  seen: Eye,
  accepted: CircleCheck,
  'handed-back': Undo2,
};

/** The most urgent state comes first. */
const order: readonly Stage[] = ['waiting', 'sent', 'delivered', 'seen', 'accepted'];

interface ReceiptIndicatorProps {
  order: RepairOrder;
  /** Its word is left out where the container `assignment` has no room for it. */
  givesWay?: boolean;
}

/** For the row: the state that needs the desk most. */
export function ReceiptIndicator({ order: { key, technicians }, givesWay = false }: ReceiptIndicatorProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const states = useAssignmentStates(key);
  const state = worst(states, technicians);
  if (state === undefined) return null;
  const name = technicians.find(({ id }) => id === state.technician)?.name;
  const text = sentenceOf(state, t, clock);
  const title = name === undefined ? text : t('receipt.of', { name, said: text });
  const marked = state.late || state.stage === 'handed-back';
  const Glyph = state.late ? TimerOff : glyphs[state.stage];
  return (
    <span
      role="img"
      aria-label={title}
      title={title}
      className={`flex h-4 shrink-0 text-12 whitespace-nowrap ${marked ? 'font-medium text-stale' : state.stage === 'accepted' ? 'text-accent' : 'text-quiet'}`}
    >
      <span className={`flex h-4 items-center ${marked ? 'rounded-sm bg-stale-tint px-1' : ''}`}>
        <Glyph aria-hidden className="size-3.5" />
      </span>
      {marked && (
        <span
          className={`-ml-1 rounded-r-sm bg-stale-tint px-1 ${givesWay ? '@max-[7.25rem]/assignment:hidden' : ''}`}
        >
          {t(state.late ? 'receipt.late' : 'receipt.stage.handed-back')}
        </span>
      )}
    </span>
  );
}

/** For the details: the state of every assignment. */
export function Receipts({ order: { key, technicians } }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const states = useAssignmentStates(key);
  const lines = states.filter((state) => counts(state, technicians));
  if (lines.length === 0) return null;
  return (
    <ul aria-label={t('receipt.title')} className="flex flex-col gap-0.5">
      {lines.map((state) => {
        const Glyph = state.late ? TimerOff : glyphs[state.stage];
        const name = technicians.find(({ id }) => id === state.technician)?.name;
        const text = sentenceOf(state, t, clock);
        return (
          <li
            key={state.technician}
            className={`flex items-start gap-1.5 text-12 ${state.late || state.stage === 'handed-back' ? 'text-stale' : 'text-quiet'}`}
          >
            <Glyph aria-hidden className="mt-px size-3.5 shrink-0" />
            <span className="min-w-0 break-words">
              {name === undefined ? text : t('receipt.of', { name, said: text })}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function worst(
  states: readonly AssignmentState[],
  technicians: readonly AssignedTechnician[],
): AssignmentState | undefined {
  const rank = ({ late, stage }: AssignmentState) => (late ? -1 : order.indexOf(stage));
  return states
    .filter((state) => counts(state, technicians))
    .toSorted((one, other) => rank(one) - rank(other))[0];
}

/** Only assigned technicians count; a handed-back order counts until somebody is assigned. */
function counts(
  { technician, stage, isWaitedFor }: AssignmentState,
  technicians: readonly AssignedTechnician[],
): boolean {
  if (stage === 'handed-back') return technicians.length === 0;
  // A technician without a portal gets no assignment, and is not waited for.
  if (stage === 'waiting' && !isWaitedFor) return false;
  return technicians.some(({ id }) => id === technician);
}

type Translate = ReturnType<typeof useTranslation>['t'];

function sentenceOf(state: AssignmentState, t: Translate, clock: ReturnType<typeof useClock>): string {
  const time = clock.short(state.at);
  if (state.late) return t('receipt.lateSince', { time: clock.short(state.assignedAt) });
  const stage = t('receipt.at', { stage: t(`receipt.stage.${state.stage}`), time });
  return state.reason === null ? stage : t('receipt.because', { stage, reason: state.reason });
}
