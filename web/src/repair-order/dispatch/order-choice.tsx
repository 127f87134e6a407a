// One order of a batch: its work in short, and its technician, who can be changed in place.
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import type { Candidate } from '../../api/candidates.ts';
import type { Technician } from '../../api/repair-orders.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import type { RepairOrder } from '../order.ts';
import { workOf } from '../sold-hours.ts';
import { type AddedWork, loadOf, loadText, type Today, withWork } from '../technician-load.ts';
import { shortWhyText, whyText } from '../technician-ranking.ts';
import { technicians } from '../technicians.ts';
import { DueText, SoldText, StatusText } from './order-work.tsx';
import type { Proposals } from './use-proposals.ts';

interface OrderChoiceProps {
  order: RepairOrder;
  /** Undefined while the server is asked. */
  proposals: Proposals | undefined;
  chosen: number | null;
  choose(technician: number): void;
  /** The work that the batch gives to a technician. */
  added(technician: number): AddedWork;
}

export function OrderChoice({ order, proposals, chosen, choose, added }: OrderChoiceProps) {
  const { t, locale } = useTranslation();
  const { data } = useQuery(technicians);
  const candidates = proposals?.candidates(order.key) ?? [];
  const candidate = candidates.find(({ idTechnician }) => idTechnician === chosen);
  const loadWith = (one: Candidate | undefined): Today | null => {
    const load = loadOf(one);
    return load === null || one === undefined ? null : withWork(load, added(one.idTechnician));
  };
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2.5 text-13">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono font-medium">{order.roNumber}</span>
        <StatusText order={order} />
        <DueText order={order} />
      </p>
      <Car order={order} />
      <p className="flex gap-3 text-12">
        <JobsInShort order={order} />
        <span className="shrink-0 font-medium">
          <SoldText work={workOf(order.jobs)} />
        </span>
      </p>
      <select
        aria-label={t('dispatching.technicianFor', { number: order.roNumber })}
        value={chosen ?? ''}
        disabled={proposals === undefined}
        onChange={(event) => choose(Number(event.target.value))}
        onKeyDown={submitOnEnter}
        className="h-8 w-full rounded-md border border-line-strong bg-raised px-2 text-13 max-md:h-11 pointer-coarse:h-11"
      >
        {chosen === null && (
          <option value="" disabled>
            {proposals === undefined ? t('dispatching.finding') : t('dispatching.choose')}
          </option>
        )}
        {bestFirst(data ?? [], candidates).map(({ technician, candidate: one }) => (
          <option key={technician.idTechnician} value={technician.idTechnician}>
            {[
              technician.displayName,
              technician.specialty,
              // Of who is chosen it stands below, where there is room for it.
              technician.idTechnician === chosen ? '' : loadText(loadWith(one), t, locale),
            ]
              .filter((text) => text !== '')
              .join(' · ')}
          </option>
        ))}
      </select>
      {candidate !== undefined && (
        <p
          className="text-12 text-quiet first-letter:uppercase"
          title={whyText(candidate, loadWith(candidate), t, locale)}
        >
          {shortWhyText(candidate, loadWith(candidate), t, locale)}
        </p>
      )}
    </li>
  );
}

/** Whose car it is, and which. */
function Car({ order: { customer, vehicle } }: { order: RepairOrder }) {
  const text = [customer, vehicle].filter((fact) => fact !== '').join(' · ');
  return (
    <p className="truncate text-12 text-quiet" title={text}>
      {text}
    </p>
  );
}

function JobsInShort({ order: { jobs } }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const texts = jobs.map(({ opcode, concern, description }) =>
    [opcode || t('order.noOpcode'), concern || description].filter((text) => text !== '').join(' '),
  );
  return (
    <span className="min-w-0 flex-1 truncate text-quiet" title={texts.join('\n')}>
      {texts.join(' · ') || t('order.noJobs')}
    </span>
  );
}

/** By the order's own ranking; technicians without a place in it come last, by name as they are listed. */
function bestFirst(all: readonly Technician[], candidates: readonly Candidate[]) {
  const places = new Map(candidates.map(({ idTechnician }, place) => [idTechnician, place]));
  const placeOf = ({ idTechnician }: Technician) => places.get(idTechnician) ?? candidates.length;
  return all
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((technician) => ({ technician, candidate: candidates[placeOf(technician)] }));
}

/** Enter dispatches from here, too; Space opens the list. While it is open, Enter chooses. */
function submitOnEnter(event: KeyboardEvent<HTMLSelectElement>) {
  if (event.key !== 'Enter' || isListOpen(event.currentTarget)) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.form?.requestSubmit();
}

function isListOpen(select: HTMLSelectElement): boolean {
  return CSS.supports('selector(:open)') && select.matches(':open');
}
