// Technician management: levels, skills, and the skills that opcodes require.
import { useQuery } from '@tanstack/react-query';
import { Lock, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ApiError } from '../api/http.ts';
import type { Member, Organisation } from '../api/technicians.ts';
import { usePermission } from '../auth/use-session.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { deferred } from '../ui/deferred.tsx';
import { afterTravel, goBack, screenState } from '../ui/history-entries.ts';
import { LoadState } from '../ui/load-state.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { MessagePanel } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { matchesWordStarts, typedWords } from '../ui/text-matching.ts';
import { AssignDialog } from './assign-dialog.tsx';
import { LevelDialog } from './level-dialog.tsx';
import { LevelTree } from './level-tree.tsx';
import { LoadingOrganisation } from './loading-organisation.tsx';
import { NewTechnician } from './new-technician.tsx';
import {
  allMembers,
  organisation,
  useLiveOrganisation,
  useMove,
  useOrganisationWithMoves,
} from './organisation.ts';
import { RulesPanel } from './rules-panel.tsx';
import { SkillsPanel } from './skills-panel.tsx';
import { TechnicianPanel } from './technician-panel.tsx';
import { unmatchedNames } from './unmatched-names.ts';

const StagesPanel = deferred(async () => {
  const [{ StagesPanel: loaded }] = await Promise.all([import('./stages-panel.tsx'), loadTexts(stageTexts)]);
  return loaded;
});
const UnmatchedPanel = deferred(async () => (await import('./unmatched-panel.tsx')).UnmatchedPanel);

export function OrganisationScreen() {
  const { t } = useTranslation();
  usePageTitle(t('organisation.title'));
  useLiveOrganisation();
  const mayManage = usePermission('manage-technicians');
  const mayManageSkills = usePermission('manage-skills');
  const mayManageStages = usePermission('manage-stages');
  const { data, error, refetch } = useQuery(organisation);
  const placed = useOrganisationWithMoves(data);
  const { open } = useOpenPanel();
  const people = placed === undefined ? 0 : allMembers(placed).length;
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-[1240px] flex-col gap-3 px-4 pt-4 pb-8 max-md:px-3 max-md:pt-3">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h1 className="text-20 font-semibold max-md:text-16">{t('organisation.title')}</h1>
            {placed !== undefined && (
              <p className="text-13 text-quiet">{t('organisation.count', { count: people })}</p>
            )}
          </div>
          <div className="flex flex-wrap gap-2 max-md:grid max-md:w-full max-md:grid-cols-2">
            {mayManageStages && <Button onClick={() => open('stages')}>{t('organisation.stages')}</Button>}
            <UnmatchedButton open={() => open('names')} />
            <Button onClick={() => open('rules')}>{t('organisation.rules')}</Button>
            <Button onClick={() => open('skills')}>
              {t(mayManageSkills ? 'organisation.manageSkills' : 'organisation.skills')}
            </Button>
            {mayManage && placed !== undefined && (
              <>
                <Button onClick={() => open('technician')}>{t('organisation.technician.add')}</Button>
                <Button variant="primary" onClick={() => open('assign')}>
                  {t('organisation.assign.title')}
                </Button>
              </>
            )}
          </div>
        </div>
        {placed === undefined && error instanceof ApiError && error.status === 403 ? (
          <NotPermitted />
        ) : (
          <LoadState
            isLoaded={placed !== undefined}
            {...failureReason(error, t)}
            failed={t('organisation.failed.load')}
            stale={(reason) => t('organisation.stale', { reason })}
            retryLabel={t('organisation.retry')}
            retry={() => void refetch()}
            loading={<LoadingOrganisation />}
          >
            {placed !== undefined && <LoadedOrganisation organisation={placed} mayManage={mayManage} />}
          </LoadState>
        )}
      </div>
      <RequestedPanel organisation={placed} />
    </main>
  );
}

/** Where something in the files is unknown, how much. */
function UnmatchedButton({ open }: { open: () => void }) {
  const { t } = useTranslation();
  const mayMatch = usePermission('dispatch');
  const count = useQuery({ ...unmatchedNames, enabled: mayMatch }).data?.length ?? 0;
  if (!mayMatch) return null;
  const name = t('organisation.unmatched.title');
  return (
    <Button aria-label={count === 0 ? name : t('organisation.unmatched.openCount', { count })} onClick={open}>
      {name}
      {count > 0 && (
        <span className="rounded-full bg-stale-tint px-1.5 text-12 leading-5 font-semibold text-stale">
          {count}
        </span>
      )}
    </Button>
  );
}

function NotPermitted() {
  const { t } = useTranslation();
  return (
    <MessagePanel
      glyph={Lock}
      text={t('organisation.notPermitted')}
      hint={t('organisation.notPermittedHint')}
    >
      <Link to="/dashboard" className="rounded-sm text-14 font-medium text-accent underline">
        {t('organisation.toDesk')}
      </Link>
    </MessagePanel>
  );
}

function LoadedOrganisation({
  organisation: all,
  mayManage,
}: {
  organisation: Organisation;
  mayManage: boolean;
}) {
  const { t } = useTranslation();
  const move = useMove();
  const { open } = useOpenPanel();
  const [typed, type] = useState('');
  const [adding, add] = useState(false);
  const words = typedWords(typed);
  const isShown = ({ displayName, specialty, skills }: Member) =>
    matchesWordStarts([displayName, specialty, ...skills.map(({ skillName }) => skillName)].join(' '), words);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchField
          label={t('organisation.search')}
          clearLabel={t('organisation.clearSearch')}
          typed={typed}
          type={type}
          className="w-64 max-md:w-full"
        />
        {mayManage && <p className="text-13 text-quiet max-md:hidden">{t('organisation.dragHint')}</p>}
      </div>
      <LevelTree
        organisation={all}
        isShown={isShown}
        mayManage={mayManage}
        move={move}
        open={(technician) => open(technician)}
      />
      {mayManage && (
        <Button onClick={() => add(true)} className="self-start">
          <Plus aria-hidden className="size-4" />
          {t('organisation.level.addTitle')}
        </Button>
      )}
      {adding && <LevelDialog level={null} close={() => add(false)} />}
    </>
  );
}

const namedPanels = ['stages', 'names', 'skills', 'rules', 'assign', 'technician'] as const;
type OpenPanel = (typeof namedPanels)[number] | number;

/** In the state of the entry that opening a panel added. */
const PANEL_ENTRY = { isPanel: true };

/** The open panel is in the address and has an entry of the history, so that Back closes it. */
function useOpenPanel(): { openPanel: OpenPanel | null; open(panel: OpenPanel): void; close(): void } {
  const [params, setParams] = useSearchParams();
  const panel = params.get('panel') ?? '';
  const number = /^\d{1,15}$/.test(panel) ? Number(panel) : null;
  const openPanel = number ?? namedPanels.find((one) => one === panel) ?? null;
  // Null: the screen was left.
  const latest = useRef<string | null>(panel);
  useEffect(() => {
    latest.current = panel;
    return () => {
      latest.current = null;
    };
  }, [panel]);
  return {
    openPanel,
    open: (next) =>
      afterTravel(() => setParams({ panel: String(next) }, { replace: panel !== '', state: PANEL_ENTRY })),
    close: () =>
      afterTravel(() => {
        // An answer may come when its panel is closed: it closes no other, and leads nobody back to this screen.
        if (latest.current !== panel) return;
        const state = screenState();
        const wasOpenedHere = typeof state === 'object' && state !== null && 'isPanel' in state;
        // At once; the entry goes when the browser gets to it.
        setParams({}, { replace: true });
        if (wasOpenedHere) goBack();
      }),
  };
}

function RequestedPanel({ organisation: all }: { organisation: Organisation | undefined }) {
  const { openPanel, close } = useOpenPanel();
  const mayManage = usePermission('manage-technicians');
  const mayMatch = usePermission('dispatch');
  const move = useMove();
  if (openPanel === 'stages') return <StagesPanel close={close} />;
  if (openPanel === 'names') return mayMatch ? <UnmatchedPanel close={close} /> : null;
  if (openPanel === 'skills') return <SkillsPanel close={close} />;
  if (openPanel === 'rules') return <RulesPanel close={close} />;
  if (openPanel === null || all === undefined) return null;
  if (typeof openPanel === 'number')
    return <TechnicianPanel technician={openPanel} organisation={all} close={close} />;
  if (!mayManage) return null;
  if (openPanel === 'assign') return <AssignDialog organisation={all} move={move} close={close} />;
  return <NewTechnician levels={all.levels} close={close} />;
}
