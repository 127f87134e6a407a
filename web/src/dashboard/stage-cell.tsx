// Where an order stands, and below it for how long, or what it waits for. The table's cell, the line of a phone's card and
// the fact among the details.
import { useTranslation } from '../i18n/use-translation.ts';
import { spanText } from '../repair-order/duration-text.ts';
import { firstHold, holdNote, holdText, isHoldDue } from '../repair-order/hold-text.ts';
import { openDialog } from '../repair-order/open-dialog.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useIsChanging } from '../repair-order/pending-changes.ts';
import { isTooLong, stageAppearance, stageNameById, useStages } from '../repair-order/stages.ts';
import { useClock } from '../shop/clock.ts';
import { AlarmClock, ChevronDown, CirclePause } from '../ui/row-glyphs.tsx';
import { useFocusAfterChange } from './focus-after-change.ts';
import { useControlTabIndex } from './row-controls.ts';
import { usePickerControl } from './use-picker-control.ts';

interface StageCellProps {
  order: RepairOrder;
  readOnly: boolean;
}

interface StageControlProps extends StageCellProps {
  /** In a line of a phone's card. */
  inLine?: boolean;
}

const MINUTE_MS = 60_000;

/** Longer names (characters) are set smaller: they are to be whole. */
const LONG_NAME = 16;

export function StageCell(props: StageCellProps) {
  return (
    <span className="block min-w-0">
      <StageControl {...props} />
      <StageNote {...props} />
    </span>
  );
}

function useStageOf(order: RepairOrder) {
  const { t, language } = useTranslation();
  const stages = useStages();
  const stage = order.stage === null ? undefined : stages?.byId.get(order.stage);
  const name =
    order.stage === null
      ? t('stages.cell.none')
      : stages === null
        ? ''
        : stageNameById(stages, order.stage, language);
  return { stage, name };
}

/** Opens the picker. */
export function StageControl({ order, readOnly, inLine = false }: StageControlProps) {
  const { t } = useTranslation();
  const { stage, name } = useStageOf(order);
  const { control, open, toggle } = usePickerControl('stage', order.key);
  const updating = useIsChanging('stage', order.key);
  const tabIndex = useControlTabIndex();
  useFocusAfterChange(control, updating);
  const appearance = stageAppearance[stage?.colour ?? 'grey'];
  const dot = (
    <span
      aria-hidden
      className={`size-2.5 shrink-0 rounded-full group-data-tight/table:hidden ${appearance.fill}`}
    />
  );
  const size = name.length > LONG_NAME ? 'in-[table]:text-12' : 'group-data-tight/table:text-12';
  const text = (
    <span className={`truncate font-medium ${size}`}>{updating ? t('stages.cell.updating') : name}</span>
  );
  if (readOnly) {
    return (
      <span title={name} className="flex h-5 min-w-0 items-center gap-1.5">
        {dot}
        {text}
      </span>
    );
  }
  return (
    <button
      ref={control}
      type="button"
      tabIndex={tabIndex}
      disabled={updating}
      data-opened-by="stage"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-label={t('stages.cell.label', { number: order.roNumber, stage: name })}
      title={name}
      onClick={toggle}
      className={`group flex min-w-0 gap-1.5 text-left disabled:opacity-60 ${inLine ? lineControl : cellControl}`}
    >
      {dot}
      {text}
      {/* In the table the name needs its room. */}
      <ChevronDown aria-hidden className="size-3.5 shrink-0 opacity-60 in-[table]:hidden" />
    </button>
  );
}

const cellControl =
  '-my-px -ml-1.5 h-5 max-w-[calc(100%+0.75rem)] items-center rounded-md px-1.5 group-data-tight/table:gap-1 max-md:max-w-full hover:bg-line max-md:ml-0 max-md:h-11 max-md:min-w-11 max-md:border max-md:border-line max-md:px-2 md:pointer-coarse:relative md:pointer-coarse:min-w-11 md:pointer-coarse:after:absolute md:pointer-coarse:after:-inset-y-3 md:pointer-coarse:after:inset-x-0';
/** A thumb's target is higher than the line: it reaches up over the lines above, which are no controls. */
const lineControl = 'h-11 min-w-11 max-w-full items-center pt-6';

/** What the order waits for, else for how long it has been in its stage. */
function StageNote({ order, readOnly, inLine = false }: StageControlProps) {
  const clock = useClock();
  const hold = firstHold(order.holds, clock.now);
  if (hold === undefined) return <TimeInStage order={order} />;
  return <HoldNote order={order} readOnly={readOnly} inLine={inLine} />;
}

export function TimeInStage({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { stage, name } = useStageOf(order);
  if (order.stageSince === null) return null;
  const span = spanText(Math.max(0, Math.floor((clock.now - order.stageSince) / MINUTE_MS)), t);
  const title = t('stages.cell.since', { stage: name, time: clock.full(order.stageSince) });
  if (stage === undefined || !isTooLong(order, stage, clock.now)) {
    return (
      <span title={title} className="block truncate text-12 leading-[var(--row-line,1rem)] text-quiet">
        {span}
      </span>
    );
  }
  return (
    <span
      title={title}
      className="flex min-w-0 items-center gap-1 text-12 leading-[var(--row-line,1rem)] font-medium text-stale"
    >
      <AlarmClock aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{t('stages.cell.tooLong', { span })}</span>
    </span>
  );
}

/** Opens the dialog of the hold. */
export function HoldNote({ order, readOnly, inLine = false }: StageControlProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const tabIndex = useControlTabIndex();
  const hold = firstHold(order.holds, clock.now);
  if (hold === undefined) return null;
  const text = holdNote(hold, t, clock);
  const isDue = isHoldDue(hold, clock.now);
  const shown =
    order.holds.length === 1 ? text : t('stages.cell.more', { hold: text, count: order.holds.length - 1 });
  // What is seen comes first, as whoever speaks to the page says it.
  const name = isDue ? `${shown} · ${holdText(hold, t, clock)}` : shown;
  const title = order.holds
    .map((one) =>
      [holdText(one, t, clock), t('stages.cell.acts', { actor: t(`stages.actor.${one.whoActs}`) }), one.note]
        .filter(Boolean)
        .join(' · '),
    )
    .join('\n');
  const tone = isDue ? 'font-medium text-stale' : 'text-quiet';
  const Glyph = isDue ? AlarmClock : CirclePause;
  const content = (
    <>
      <Glyph aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{shown}</span>
    </>
  );
  const classes = `flex min-w-0 max-w-full items-center gap-1 text-12 leading-[var(--row-line,1rem)] ${tone}`;
  if (readOnly) {
    return (
      <span title={title} className={classes}>
        {content}
      </span>
    );
  }
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={t('stages.cell.holdOf', { number: order.roNumber, hold: name })}
      title={title}
      onClick={() => openDialog({ kind: 'hold', order: order.key, hold: hold.id })}
      className={`${classes} hover:text-ink hover:underline ${inLine ? lineControl : 'rounded-sm max-md:min-h-11'}`}
    >
      {content}
    </button>
  );
}

/** On a card: one line. */
export function StageLine({ order, readOnly }: StageCellProps) {
  return (
    <span className="flex h-5 items-end gap-2.5 text-13">
      <span className="max-w-3/5 shrink-0">
        <StageControl order={order} readOnly={readOnly} inLine />
      </span>
      <span className="flex min-w-0 flex-1 items-end [--row-line:1.25rem]">
        <StageNote order={order} readOnly={readOnly} inLine />
      </span>
    </span>
  );
}
