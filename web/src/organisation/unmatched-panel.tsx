// What files of the dealer system name and nobody here is called, and what somebody has said that such a name means.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import {
  fetchNameMatches,
  forgetMatch,
  matchName,
  type NameMatch,
  type NewNameMatch,
  type UnmatchedName,
} from '../api/unmatched-names.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shopStages, stageName } from '../repair-order/stages.ts';
import { technicians } from '../repair-order/technicians.ts';
import { Button } from '../ui/button.tsx';
import { Input, Select } from '../ui/form-field.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { useOrganisationMutation } from './mutations.ts';
import { Loaded } from './opcode-parts.tsx';
import { nameMatches, reloadNames, unmatchedNames } from './unmatched-names.ts';

export function UnmatchedPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const unmatched = useQuery(unmatchedNames);
  const matches = useQuery(nameMatches);
  return (
    <Sheet
      open
      inAddress
      close={close}
      title={t('organisation.unmatched.title')}
      closeLabel={t('organisation.close')}
      // The first control would be a repair order's link.
      initialFocus={() => null}
    >
      <div className="flex flex-col gap-5">
        <p className="text-13 text-pretty text-quiet">{t('organisation.unmatched.hint')}</p>
        <NameList title={t('organisation.unmatched.list')}>
          <Loaded found={unmatched} failed={t('organisation.unmatched.failed.load')}>
            {(names) =>
              names.length === 0 ? (
                <p className="rounded-lg border border-dashed border-line-strong px-3 py-4 text-13 text-quiet">
                  {t('organisation.unmatched.none')}
                </p>
              ) : (
                <Lines>
                  {names.map((name) => (
                    <UnmatchedLine key={`${name.kind} ${name.number}`} unmatched={name} />
                  ))}
                </Lines>
              )
            }
          </Loaded>
        </NameList>
        {matches.data !== undefined && matches.data.length > 0 && (
          <NameList title={t('organisation.unmatched.matches')}>
            <Lines>
              {matches.data.map((match) => (
                <MatchLine key={`${match.kind} ${match.number}`} match={match} />
              ))}
            </Lines>
          </NameList>
        )}
      </div>
    </Sheet>
  );
}

function NameList({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="text-14 font-semibold">
        {title}
      </h3>
      {children}
    </section>
  );
}

function Lines({ children }: { children: ReactNode }) {
  return <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">{children}</ul>;
}

function useNameText() {
  const { t } = useTranslation();
  return ({ kind, number }: Pick<NameMatch, 'kind' | 'number'>) =>
    t(`organisation.unmatched.kind.${kind}`, { number });
}

/** Repair orders that are named of those it came with. */
const NAMED_ORDERS = 3;

function UnmatchedLine({ unmatched }: { unmatched: UnmatchedName }) {
  const { t } = useTranslation();
  const text = useNameText()(unmatched);
  const [meaning, choose] = useState('');
  const { run, busy } = useOrganisationMutation(reloadNames);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (meaning.trim() === '') return;
    const match = async () => {
      const known = await fetchNameMatches();
      // Somebody else has said it since the list was loaded, which tells what it means once it is loaded again.
      if (known.some(({ kind, number }) => kind === unmatched.kind && number === unmatched.number))
        throw new Error(t('organisation.unmatched.knownMeanwhile'));
      await matchName(matchOf(unmatched, meaning.trim()));
    };
    void run({
      work: match,
      done: t('organisation.unmatched.matched', { name: text }),
      failed: t('organisation.unmatched.failed.match', { name: text }),
    });
  };
  return (
    <li className="flex flex-col gap-2 p-3">
      <div>
        <p className="text-14 font-medium wrap-anywhere">
          {[text, unmatched.name].filter(Boolean).join(' · ')}
        </p>
        <p className="text-13 text-quiet">
          {t('organisation.unmatched.onOrders', { count: unmatched.count })}{' '}
          {unmatched.repairOrders.slice(0, NAMED_ORDERS).map((order) => (
            <Link
              key={order}
              to={`/dashboard?ro=${order}`}
              className="mr-2 inline-flex items-center rounded-sm font-mono text-accent underline-offset-4 hover:underline max-md:min-h-11 max-md:min-w-11 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
            >
              {order}
            </Link>
          ))}
        </p>
      </div>
      <form noValidate onSubmit={submit} className="flex gap-2">
        <div className="min-w-0 flex-1">
          <Meaning
            kind={unmatched.kind}
            label={t('organisation.unmatched.meaningOf', { name: text })}
            value={meaning}
            choose={choose}
          />
        </div>
        <Button
          type="submit"
          aria-label={t('organisation.unmatched.matchOf', { name: text })}
          disabled={busy || meaning.trim() === ''}
          className="shrink-0 max-md:h-11 pointer-coarse:h-11"
        >
          {t('organisation.unmatched.match')}
        </Button>
      </form>
    </li>
  );
}

function matchOf({ kind, number }: UnmatchedName, meaning: string): NewNameMatch {
  if (kind === 'technician') return { kind, number, idTechnician: Number(meaning) };
  return kind === 'advisor' ? { kind, number, name: meaning } : { kind, number, stage: meaning };
}

interface MeaningProps {
  kind: UnmatchedName['kind'];
  label: string;
  value: string;
  choose(meaning: string): void;
}

/** A technician's number, a stage's id, or what an advisor is called. */
function Meaning({ kind, label, value, choose }: MeaningProps) {
  const { t, language } = useTranslation();
  const people = useQuery({ ...technicians, enabled: kind === 'technician' }).data ?? [];
  const stages = useQuery({ ...shopStages, enabled: kind === 'stage' }).data?.stages ?? [];
  if (kind === 'advisor') {
    return (
      <Input
        aria-label={label}
        value={value}
        maxLength={100}
        autoComplete="off"
        placeholder={t('organisation.unmatched.advisorName')}
        onChange={({ target }) => choose(target.value)}
      />
    );
  }
  const isTechnician = kind === 'technician';
  const options = isTechnician
    ? people.map(({ idTechnician, displayName }) => [String(idTechnician), displayName] as const)
    : stages
        .filter(({ deleted }) => !deleted)
        .map((stage) => [stage.id, stageName(stage, language)] as const);
  return (
    <Select aria-label={label} value={value} onChange={({ target }) => choose(target.value)}>
      <option value="" disabled>
        {t(isTechnician ? 'organisation.assign.placeholder' : 'organisation.unmatched.chooseStage')}
      </option>
      {options.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function MatchLine({ match }: { match: NameMatch }) {
  const { t, language } = useTranslation();
  const text = useNameText()(match);
  const { run, busy } = useOrganisationMutation(reloadNames);
  const stages = useQuery({ ...shopStages, enabled: match.kind === 'stage' }).data?.stages ?? [];
  const stage = match.kind === 'stage' ? stages.find(({ id }) => id === match.name) : undefined;
  const forget = () =>
    void run({
      work: () => forgetMatch(match),
      done: t('organisation.unmatched.forgotten', { name: text }),
      failed: t('organisation.unmatched.failed.forget', { name: text }),
    });
  return (
    <li className="flex min-h-12 items-center gap-2 py-1 pr-2 pl-3 text-14">
      <p className="min-w-0 flex-1 wrap-anywhere">
        <span className="text-quiet">{text}:</span>{' '}
        <span className="font-medium">{stage === undefined ? match.name : stageName(stage, language)}</span>
      </p>
      <Button
        aria-label={t('organisation.unmatched.forgetOf', { name: text })}
        disabled={busy}
        onClick={forget}
        className="h-8 shrink-0 max-md:h-11 pointer-coarse:h-11"
      >
        {t('organisation.unmatched.forget')}
      </Button>
    </li>
  );
}
