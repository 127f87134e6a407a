// The wall boards: the list, whether they are connected, and their content. For users who manage boards.
import { useQuery } from '@tanstack/react-query';
import { Link2, MonitorPlay, MonitorUp, Tv } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { type Board, deleteBoard, revokeBoard } from '../api/boards.ts';
import { usePermission } from '../auth/use-session.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { MessagePanel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toaster.ts';
import { type BoardAction, BoardCard } from './board-card.tsx';
import { boards, useBoardMutation, useLiveBoards } from './boards.ts';
import { LinkDialog } from './link-dialog.tsx';
import { PairDialog } from './pair-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { SetUpSheet } from './setup-instructions-sheet.tsx';

export function BoardsScreen() {
  return usePermission('manage-boards') ? <Boards /> : <NotPermitted />;
}

/** Users who scanned a screen's code without permission learn who may pair it. */
function NotPermitted() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const scanned = params.has('code');
  useEffect(() => {
    if (scanned) showToast({ tone: 'destructive', text: t('boards.onlyManagers') });
  }, [scanned, t]);
  return <Navigate to="/dashboard" replace />;
}

/** The open dialog: about one board, or about a new one. */
type Open = { what: BoardAction | 'set-up'; board: Board | null } | null;

function Boards() {
  const { t } = useTranslation();
  usePageTitle(t('boards.title'));
  useLiveBoards();
  const { data: all, error, refetch } = useQuery(boards);
  // A phone that scanned a screen's code comes with it.
  const [params, setParams] = useSearchParams();
  const [code, setCode] = useState(() => params.get('code') ?? '');
  // Not again at the next load.
  useEffect(() => {
    if (params.has('code')) setParams({}, { replace: true });
  }, [params, setParams]);
  const [open, setOpen] = useState<Open>(code === '' ? null : { what: 'pair', board: null });
  // An answer may come when its dialog is closed and another one is open, which stays.
  const close = () => {
    setOpen((now) => (now === open ? null : now));
    setCode('');
  };

  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-[1240px] flex-col gap-3 px-4 pt-4 pb-8 max-md:px-3 max-md:pt-3">
        <BoardsHeader all={all} ask={(what) => setOpen({ what, board: null })} />
        <LoadState
          isLoaded={all !== undefined}
          {...failureReason(error, t)}
          failed={t('boards.failed.load')}
          stale={(reason) => t('boards.stale', { reason })}
          retryLabel={t('boards.retry')}
          retry={() => void refetch()}
          loading={<Loading />}
        >
          <BoardList all={all ?? []} ask={(what, board) => setOpen({ what, board })} />
        </LoadState>
      </div>
      {open !== null && <OpenBoardDialog open={open} all={all ?? []} code={code} close={close} />}
    </main>
  );
}

interface BoardsHeaderProps {
  /** Undefined: they are loading. */
  all: readonly Board[] | undefined;
  ask(what: NonNullable<Open>['what']): void;
}

function BoardsHeader({ all = [], ask }: BoardsHeaderProps) {
  const { t } = useTranslation();
  const live = all.filter((board) => board.live).length;
  return (
    <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h1 className="text-20 font-semibold max-md:text-16">{t('boards.title')}</h1>
        {all.length > 0 && (
          <p className="text-13 text-quiet">
            {t('boards.count', { count: all.length })} · {t('boards.liveCount', { count: live })}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => ask('set-up')}>
          <Tv aria-hidden className="size-4" />
          {t('boards.setUp')}
        </Button>
        <Button onClick={() => ask('link')}>
          <Link2 aria-hidden className="size-4" />
          {t('boards.link')}
        </Button>
        <Button variant="primary" onClick={() => ask('pair')}>
          <MonitorUp aria-hidden className="size-4" />
          {t('boards.pair')}
        </Button>
      </div>
    </div>
  );
}

interface BoardListProps {
  all: readonly Board[];
  ask(what: BoardAction, board: Board): void;
}

function BoardList({ all, ask }: BoardListProps) {
  const { t } = useTranslation();
  if (all.length === 0) {
    const hint = t('boards.emptyHint', { address: `${location.host}/board` });
    return <MessagePanel glyph={MonitorPlay} text={t('boards.empty')} hint={hint} />;
  }
  return (
    <ul
      aria-label={t('boards.title')}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))] gap-3"
    >
      {all.map((board) => (
        <li key={board.boardId} className="grid min-w-0">
          <BoardCard board={board} ask={(what) => ask(what, board)} />
        </li>
      ))}
    </ul>
  );
}

interface OpenBoardDialogProps {
  open: NonNullable<Open>;
  all: readonly Board[];
  code: string;
  close(): void;
}

function OpenBoardDialog({ open: { what, board: opened }, all, code, close }: OpenBoardDialogProps) {
  // The board as it is now, or as it last was if it is gone.
  const board = all.find(({ boardId }) => boardId === opened?.boardId) ?? opened;
  if (what === 'set-up') return <SetUpSheet close={close} />;
  if (what === 'pair') return <PairDialog board={board} all={all} code={code} close={close} />;
  if (what === 'link') return <LinkDialog board={board} close={close} />;
  if (board === null) return null;
  if (what === 'settings') return <SettingsDialog board={board} close={close} />;
  // The question keeps its board.
  return <RevokeQuestion board={opened ?? board} close={close} />;
}

function RevokeQuestion({ board, close }: { board: Board; close: () => void }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useBoardMutation();
  const { name, boardId } = board;
  const isPaired = board.state === 'paired';
  const revoke = async () => {
    const done = await mutate({
      work: () => (isPaired ? revokeBoard(boardId) : deleteBoard(boardId)),
      done: t(isPaired ? 'boards.revokedNow' : 'boards.deletedNow', { name }),
      failed: t(isPaired ? 'boards.failed.revoke' : 'boards.failed.delete', { name }),
    });
    if (done) close();
  };
  return (
    <ConfirmDialog
      title={t(isPaired ? 'boards.revokeTitle' : 'boards.deleteTitle', { name })}
      detail={t(isPaired ? 'boards.revokeDetail' : 'boards.deleteDetail')}
      verb={t(isPaired ? 'boards.revoke' : 'boards.delete')}
      cancelLabel={t('boards.cancel')}
      busy={busy}
      confirm={() => void revoke()}
      close={close}
    />
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))] gap-3">
      <p role="status" className="sr-only">
        {t('boards.loading')}
      </p>
      {['w-40', 'w-32', 'w-44'].map((width) => (
        <div key={width} className="skeleton h-52 rounded-lg border border-line bg-raised p-4">
          <Skeleton className={width} />
          <Skeleton className="mt-3 w-24" />
        </div>
      ))}
    </div>
  );
}
