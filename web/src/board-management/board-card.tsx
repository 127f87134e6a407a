// A board in the list: its name, whether it is connected, its content, and the actions on it.
import {
  Ellipsis,
  Link2,
  Link2Off,
  MonitorOff,
  MonitorUp,
  RotateCw,
  ScanEye,
  SlidersHorizontal,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { type Board, identifyBoard, reloadBoard, revokeBoard } from '../api/boards.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { useBoardMutation } from './boards.ts';
import { layoutGlyph } from './layouts.ts';

export type BoardAction = 'pair' | 'link' | 'settings' | 'revoke';

export function BoardCard({ board, ask }: { board: Board; ask: (what: BoardAction) => void }) {
  const { t } = useTranslation();
  const { name, layout } = board;
  const Glyph = layoutGlyph[layout];
  return (
    <article
      aria-label={name}
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-raised p-4"
    >
      <div className="flex items-start gap-3">
        <Miniature board={board} />
        <div className="min-w-0 flex-1">
          <h2 className="text-14 font-semibold break-words">{name}</h2>
          <p className="mt-0.5 flex items-center gap-1.5 text-13 text-quiet">
            <Glyph aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
            {t(`boards.layoutName.${layout}`)}
          </p>
        </div>
        <LiveSign board={board} />
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-13">
        <BoardFact term={t('boards.shows')}>
          <BoardContent board={board} />
        </BoardFact>
        <BoardFact term={t('boards.screen')}>
          {board.screen === null ? '–' : `${board.screen.width} × ${board.screen.height}`}
        </BoardFact>
        <BoardFact term={t('boards.version')}>{board.version ?? '–'}</BoardFact>
        <PairedBy board={board} />
      </dl>
      <BoardActions board={board} ask={ask} />
    </article>
  );
}

interface BoardActionsProps {
  board: Board;
  ask(what: BoardAction): void;
}

function BoardActions({ board, ask }: BoardActionsProps) {
  const { t } = useTranslation();
  const { name, state, boardId, live } = board;
  const { run: mutate } = useBoardMutation();
  const identify = () =>
    void mutate({
      work: () => identifyBoard(boardId),
      done: t('boards.identified', { name }),
      failed: t('boards.failed.identify', { name }),
    });
  return (
    <div className="mt-auto flex flex-wrap items-center gap-2">
      {state === 'paired' ? (
        <Button disabled={!live} onClick={identify} aria-label={t('boards.identifyOf', { name })}>
          <ScanEye aria-hidden className="size-4" />
          {t('boards.identify')}
        </Button>
      ) : (
        <Button onClick={() => ask('pair')} aria-label={t('boards.pairOf', { name })}>
          <MonitorUp aria-hidden className="size-4" />
          {t('boards.pairVerb')}
        </Button>
      )}
      <Button onClick={() => ask('settings')} aria-label={t('boards.settingsOf', { name })}>
        <SlidersHorizontal aria-hidden className="size-4" />
        {t('boards.settings')}
      </Button>
      <BoardMenu board={board} ask={ask} />
    </div>
  );
}

function BoardMenu({ board: { name, state, boardId, live }, ask }: BoardActionsProps) {
  const { t } = useTranslation();
  const { run: mutate } = useBoardMutation();
  const isPaired = state === 'paired';
  const voidLinks = () =>
    void mutate({
      work: () => revokeBoard(boardId),
      done: t('boards.linksVoid', { name }),
      failed: t('boards.failed.voidLinks', { name }),
    });
  const reload = () =>
    void mutate({
      work: () => reloadBoard(boardId),
      done: t('boards.reloaded', { name }),
      failed: t('boards.failed.reload', { name }),
    });
  const button = (
    <IconButton label={t('boards.more', { name })} className="ml-auto">
      <Ellipsis aria-hidden className="size-[18px]" />
    </IconButton>
  );
  return (
    <Menu trigger={button}>
      {isPaired && (
        <>
          <MenuItem glyph={RotateCw} disabled={!live} act={reload}>
            {t('boards.reload')}
          </MenuItem>
          <MenuItem glyph={MonitorUp} act={() => ask('pair')}>
            {t('boards.pairAgain')}
          </MenuItem>
        </>
      )}
      <MenuItem glyph={Link2} act={() => ask('link')}>
        {t('boards.linkVerb')}
      </MenuItem>
      {!isPaired && (
        <MenuItem glyph={Link2Off} act={voidLinks}>
          {t('boards.voidLinks')}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem glyph={MonitorOff} act={() => ask('revoke')} destructive>
        {isPaired ? t('boards.revoke') : t('boards.delete')}
      </MenuItem>
    </Menu>
  );
}

function BoardFact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{term}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}

/** As the board last reported, once a minute. */
function BoardContent({ board: { live, state, shows } }: { board: Board }) {
  const { t } = useTranslation();
  if (!live) return state === 'paired' ? t('boards.showsUnknown') : '–';
  if (shows === null) return t('boards.showsNothing');
  return `${t('boards.cars', { count: shows.orders })} · ${t('boards.pages', { count: Math.max(1, shows.pages) })}`;
}

function PairedBy({ board }: { board: Board }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { pairedAt, pairedBy } = board;
  if (pairedAt === null) return null;
  const time = clock.beginning(Date.parse(pairedAt));
  return (
    <BoardFact term={t('boards.pairedTerm')}>
      <span title={clock.full(Date.parse(pairedAt))}>
        {pairedBy === null ? time : t('boards.pairedBy', { time, name: pairedBy.name })}
      </span>
    </BoardFact>
  );
}

/** A word and a shape: full where it is live, hollow where it is not. */
function LiveSign({ board: { live, state, lastSeenAt } }: { board: Board }) {
  const { t } = useTranslation();
  const clock = useClock();
  const lastSeen = lastSeenAt === null ? null : Date.parse(lastSeenAt);
  if (state === 'paired' && live) {
    return (
      <p className="flex shrink-0 items-center gap-1.5 text-13 text-used">
        <i aria-hidden className="size-2 rounded-full bg-current" />
        {t('boards.live')}
      </p>
    );
  }
  const word = { paired: t('boards.away'), unpaired: t('boards.unpaired'), revoked: t('boards.revoked') }[
    state
  ];
  return (
    <div className={`shrink-0 text-right text-13 ${state === 'paired' ? 'text-stale' : 'text-quiet'}`}>
      <p className="flex items-center justify-end gap-1.5">
        <i aria-hidden className="size-2 border border-current" />
        {word}
      </p>
      {lastSeen !== null && (
        <p className="text-12 text-quiet" title={clock.full(lastSeen)}>
          {t('boards.lastSeen', { time: clock.short(lastSeen) })}
        </p>
      )}
    </div>
  );
}

/** A miniature of a board's layout, in its own shape and colours. */
function Miniature({ board: { layout, settings, screen } }: { board: Board }) {
  const upright = screen !== null && screen.height > screen.width;
  const dark = settings.theme === 'dark';
  return (
    <div
      aria-hidden
      className={`flex shrink-0 gap-0.5 rounded-sm border border-line-strong p-1 ${upright ? 'h-14 w-8' : 'h-9 w-16'} ${dark ? 'bg-[#0a0d11] text-[#5b6775]' : 'bg-[#e9edf1] text-[#9aa5b1]'}`}
    >
      {miniatures[layout].map((bars, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <div key={at} className="flex flex-1 flex-col gap-0.5">
          {bars.map((colour, bar) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change
            <i key={bar} className={`h-1.5 rounded-[1px] ${colour}`} />
          ))}
        </div>
      ))}
    </div>
  );
}

const RED = 'bg-[#ad121a]';
const AMBER = 'bg-[#f6b53c]';
const PLAIN = 'bg-current';
const miniatures: Record<Board['layout'], readonly (readonly string[])[]> = {
  'shop-floor': [
    [RED, PLAIN, PLAIN],
    [PLAIN, PLAIN],
    [AMBER, PLAIN, PLAIN],
    [PLAIN, PLAIN],
  ],
  queue: [
    [RED, RED, AMBER],
    [PLAIN, PLAIN, PLAIN],
  ],
  'used-pdi': [
    [RED, PLAIN, PLAIN],
    [AMBER, PLAIN, PLAIN],
    [PLAIN, PLAIN],
  ],
  lounge: [['bg-[#1d6b39]', PLAIN, PLAIN]],
};
