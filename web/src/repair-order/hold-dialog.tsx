// What an order, or one of its jobs, waits for: begins a hold, changes what is said of it, or ends it.
import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { Hold, HoldActor, HoldDraft, HoldReason } from '../api/stages.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { instantOf, NO_TIME, type TypedTime, typedTime } from '../shop/typed-time.ts';
import { WallTimeField } from '../shop/wall-time-field.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/form-field.tsx';
import { useChanges } from './change-execution.ts';
import { type DecidedField, decidedField } from './choice.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { type DialogOrder, type DialogOrders, useDialogOrders } from './dialog-orders.ts';
import { cachedOrders } from './live-orders.ts';
import { type RepairOrder, withFields } from './order.ts';
import type { Author } from './order-cache.ts';

const reasons = ['parts', 'approval', 'sublet', 'other'] as const satisfies readonly HoldReason[];
const actors = ['parts', 'advisor', 'sublet'] as const satisfies readonly HoldActor[];
/** Who usually acts, as the server takes it where nobody is named. */
const usualActor: Record<HoldReason, HoldActor> = {
  parts: 'parts',
  approval: 'advisor',
  sublet: 'sublet',
  other: 'advisor',
};
const MAX_NOTE = 500;

/** As they are typed and chosen. */
interface Draft {
  reason: HoldReason;
  /** Empty: the whole order. */
  job: string;
  /** Empty: nobody knows. */
  expected: TypedTime;
  /** Null: whoever usually does. */
  actor: HoldActor | null;
  note: string;
}

interface HoldDialogProps {
  order: number;
  /** Null: a new one. */
  hold: number | null;
  close(): void;
}

export function HoldDialog({ order: roNumber, hold: id, close }: HoldDialogProps) {
  const { t } = useTranslation();
  const changes = useChanges();
  const { before, orders, ending, edited } = useHold(roNumber, id);
  const [only] = orders.all;
  const order =
    only === undefined ? undefined : only.kind === 'closed' ? only.original.order : only.now.order;
  const [draft, setDraft] = useState(() => draftOf(before));
  const number = order?.roNumber ?? String(roNumber);
  const isNew = before === undefined;
  // What is saved of one that has ended begins it again.
  const isOver = ending !== null;
  const change = (next: Draft) => {
    setDraft(next);
    edited();
  };
  const end = () => {
    close();
    if (only !== undefined && only.kind !== 'closed' && before !== undefined)
      void changes.pick(only.now, { field: 'holds', action: 'end', hold: before.id });
  };
  return (
    <DecisionDialog
      title={t(isNew ? 'stages.hold.newTitle' : 'stages.hold.title', { number })}
      orders={orders}
      verb={t(isNew || isOver ? 'stages.hold.begin' : 'stages.hold.save')}
      doing={t('stages.hold.saving')}
      ready
      send={([version]) => {
        if (version === undefined) throw new Error('There is nothing to send.');
        return changes.send(version, {
          field: 'holds',
          action: 'start',
          hold: readDraft(draft, isNew || isOver),
        });
      }}
      takeTheirs={close}
      close={close}
      {...(isOver && orders.settled && { leave: t('details.close') })}
    >
      {before !== undefined && (
        <BegunHold hold={before} ending={ending} isAsked={!orders.settled} end={end} />
      )}
      {isNew && <WhatWaits draft={draft} jobs={order?.jobs ?? []} change={change} />}
      <Terms draft={draft} change={change} />
    </DecisionDialog>
  );
}

/** Who ended the hold, with which version of the order; null: nobody knows. */
interface Ending {
  version: number;
  by: Author | null;
}

const NOBODY: Ending = { version: 0, by: null };

function useHold(roNumber: number, id: number | null) {
  const client = useQueryClient();
  /** As it was when the dialog was opened; undefined: a new one. */
  const [before] = useState(() =>
    cachedOrders(client)
      .open.get(roNumber)
      ?.order.holds.find((one) => one.id === id),
  );
  /** Null: it has not ended. */
  const [ending, setEnding] = useState<Ending | null>(null);
  const [isEdited, setEdited] = useState(false);
  // Where nothing was entered before, its end asks nothing. Not before it is shown: what is on its way by then must not
  // begin it again.
  const asksNothing = before !== undefined && ending !== null && !isEdited;
  const orders = useDialogOrders([roNumber], asksNothing ? decideBeside(before) : decidedField.holds);
  const latest = endingOf(before, orders.all[0], ending);
  if (latest !== ending) setEnding(latest);
  return {
    before,
    orders: before !== undefined && ending !== null && orders.settled ? withoutHold(orders, before) : orders,
    ending: orders.restored && ending !== null ? NOBODY : ending,
    edited: () => {
      if (ending === null) setEdited(true);
    },
  };
}

/** The dialog says itself that the hold has ended: of what was changed meanwhile its end is left out. */
function withoutHold(orders: DialogOrders, { id: ended }: Hold): DialogOrders {
  const all = orders.all.map((one) => {
    const { original } = one;
    const holds = original.order.holds.filter(({ id }) => id !== ended);
    return { ...one, original: { ...original, order: withFields(original.order, { holds }) } };
  });
  return { ...orders, all };
}

/** The holds, as if this one went on. */
function decideBeside(hold: Hold): DecidedField {
  return (order) => {
    const others = order.holds.filter(({ id }) => id !== hold.id);
    return decidedField.holds(withFields(order, { holds: [hold, ...others] }));
  };
}

function endingOf(
  hold: Hold | undefined,
  order: DialogOrder | undefined,
  before: Ending | null,
): Ending | null {
  if (hold === undefined || order === undefined || order.kind === 'closed') return null;
  const { version, by } = order.now;
  if (order.now.order.holds.some(({ id }) => id === hold.id)) return null;
  // The message that names the author may come after the rows. Later versions are about something else.
  if (before !== null && (before.version !== version || before.by === by)) return before;
  return { version, by };
}

function draftOf(hold: Hold | undefined): Draft {
  if (hold === undefined) return { reason: 'parts', job: '', expected: NO_TIME, actor: null, note: '' };
  return {
    reason: hold.reason,
    job: hold.jobNumber == null ? '' : String(hold.jobNumber),
    expected: hold.expectedUntil == null ? NO_TIME : typedTime(Date.parse(hold.expectedUntil)),
    actor: hold.whoActs,
    note: hold.note ?? '',
  };
}

function readDraft({ reason, job, expected, actor, note }: Draft, isNew: boolean): HoldDraft {
  const until = instantOf(expected);
  const expectedUntil = until === null ? null : new Date(until).toISOString();
  return {
    reason,
    ...(job !== '' && { jobNumber: Number(job) }),
    // Null takes a time away; of a hold that the order already has it takes none.
    ...(!(isNew && expectedUntil === null) && { expectedUntil }),
    // What was not entered is the server's to choose, and stays as it is where the order already waits for this.
    ...(!(isNew && actor === null) && { whoActs: actor ?? usualActor[reason] }),
    ...(!(isNew && note.trim() === '') && { note: note.trim() }),
  };
}

interface BegunHoldProps {
  hold: Hold;
  ending: Ending | null;
  /** What asks for a decision says that it has ended. */
  isAsked: boolean;
  end(): void;
}

/** The reason and what waits are what the hold is: they stay. */
function BegunHold({ hold, ending, isAsked, end }: BegunHoldProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const what =
    hold.jobNumber == null ? t('stages.hold.whole') : t('stages.hold.job', { job: hold.jobNumber });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line p-3">
      <p className="min-w-0 text-13">
        <span className="block text-14 font-medium">{t(`stages.reason.${hold.reason}`)}</span>
        <span className="text-quiet">
          {what} · {t('stages.hold.since', { time: clock.short(Date.parse(hold.since)) })}
        </span>
      </p>
      {/* Always there, so that its text is announced when it comes. */}
      <p role="status" className="text-13 font-medium text-stale empty:hidden">
        {ending !== null &&
          !isAsked &&
          (ending.by === null
            ? t('stages.hold.ended')
            : t('stages.hold.endedBy', {
                name: ending.by.person.name,
                time: clock.time(ending.by.at),
              }))}
      </p>
      {ending === null && (
        <Button onClick={end} className="max-md:h-11">
          {t('stages.hold.end')}
        </Button>
      )}
    </div>
  );
}

interface DraftProps {
  draft: Draft;
  change(draft: Draft): void;
}

function WhatWaits({ draft, jobs, change }: DraftProps & { jobs: RepairOrder['jobs'] }) {
  const { t } = useTranslation();
  const name = useId();
  return (
    <>
      <fieldset>
        <legend className="mb-1 text-13 font-medium">{t('stages.hold.reason')}</legend>
        <div className="grid grid-cols-2 gap-1.5">
          {reasons.map((reason) => (
            <label
              key={reason}
              className="relative flex h-10 cursor-pointer items-center rounded-md border border-line px-3 text-14 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-tint has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:h-11"
            >
              <input
                type="radio"
                name={name}
                data-first-focus={draft.reason === reason || undefined}
                checked={draft.reason === reason}
                onChange={() => change({ ...draft, reason })}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              {t(`stages.reason.${reason}`)}
            </label>
          ))}
        </div>
      </fieldset>
      {jobs.length > 0 && (
        <Field label={t('stages.hold.what')}>
          <Select value={draft.job} onChange={({ target }) => change({ ...draft, job: target.value })}>
            <option value="">{t('stages.hold.whole')}</option>
            {jobs.map(({ jobNumber, description }) => (
              <option key={jobNumber} value={jobNumber}>
                {[t('stages.hold.job', { job: jobNumber }), description].filter(Boolean).join(': ')}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </>
  );
}

/** Not every browser has a button of its own that empties a time. */
function ExpectedEnd({ draft, change }: DraftProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="relative">
      <WallTimeField
        ref={input}
        label={t('stages.hold.expected')}
        value={draft.expected}
        change={(expected) => change({ ...draft, expected })}
      />
      {draft.expected.text !== '' && (
        <button
          type="button"
          onClick={() => {
            change({ ...draft, expected: NO_TIME });
            input.current?.focus();
          }}
          className="absolute -top-1 right-0 h-6 rounded-md px-1.5 text-12 font-medium text-accent hover:bg-accent-tint max-md:-top-3.5 max-md:h-11 pointer-coarse:-top-3.5 pointer-coarse:h-11"
        >
          {t('stages.hold.noTime')}
        </button>
      )}
    </div>
  );
}

function Terms({ draft, change }: DraftProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="grid grid-cols-2 gap-2.5 max-md:grid-cols-1">
        <ExpectedEnd draft={draft} change={change} />
        <Field label={t('stages.hold.actor')}>
          <Select
            value={draft.actor ?? usualActor[draft.reason]}
            onChange={({ target }) =>
              change({ ...draft, actor: actors.find((one) => one === target.value) ?? null })
            }
          >
            {actors.map((actor) => (
              <option key={actor} value={actor}>
                {t(`stages.actor.${actor}`)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label={t('stages.hold.note')}>
        <textarea
          rows={3}
          maxLength={MAX_NOTE}
          value={draft.note}
          onChange={({ target }) => change({ ...draft, note: target.value })}
          className="w-full rounded-md border border-line-strong bg-raised px-2.5 py-2 text-14 font-normal"
        />
      </Field>
    </>
  );
}
