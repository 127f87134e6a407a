// The way to the other screens: links with as many of their words beside the icons as have room, that of the current
// screen always; one menu of all screens on a phone.
import { ChevronDown, type LucideIcon } from 'lucide-react';
import { useRef } from 'react';
import { matchPath, NavLink, useLocation } from 'react-router';
import type { Permission } from '../api/session.ts';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useMedia } from '../ui/media.ts';
import { useOpener } from '../ui/opener.ts';
import { part } from '../ui/part.ts';
import { Tip } from '../ui/tooltip.tsx';
import { useFits } from '../ui/use-fits.ts';

/** A screen the bar leads to. `needs`: the permission without which the link is not shown. */
export interface ScreenLink {
  path: string;
  glyph: LucideIcon;
  name: string;
  /** For a phone, where the name has no room. */
  short: string;
  detail: string;
  needs?: Permission;
}

/** A screen that the bar names but does not lead to. */
export type UnlistedScreen = Pick<ScreenLink, 'path' | 'name' | 'short'>;

/** Below this width not even the icons have room for certain. */
const MENU = '(max-width: 1023px)';
/** Below this width only a short name has room beside what else the bar has. */
const PHONE = '(max-width: 639px)';

interface ScreenLinksProps {
  screens: readonly ScreenLink[];
  unlisted: readonly UnlistedScreen[];
}

export function ScreenLinks({ screens, unlisted }: ScreenLinksProps) {
  const { t } = useTranslation();
  const { permissions } = useUser();
  const isMenu = useMedia(MENU);
  const allowed = screens.filter(({ needs }) => needs === undefined || permissions.includes(needs));
  return (
    // Gets what room the rest of the bar leaves.
    <nav aria-label={t('bar.screens')} className="flex min-w-0 flex-1 items-center">
      {isMenu ? <ScreensMenu screens={allowed} unlisted={unlisted} /> : <ScreensLine screens={allowed} />}
    </nav>
  );
}

function ScreensLine({ screens }: { screens: readonly ScreenLink[] }) {
  const line = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  const current = screens.find(({ path }) => path === pathname);
  const others = screens.filter((screen) => screen !== current);
  const words = useFits(line, others.length, [current, ...others].map((screen) => screen?.name).join());
  const worded = [current, ...others.slice(0, words)];
  return (
    <ul ref={line} className="flex min-w-0 flex-1 items-center gap-0.5 overflow-hidden py-1">
      {screens.map((screen) => (
        <li key={screen.path} className="shrink-0 p-0.5">
          <LineLink screen={screen} withWord={worded.includes(screen)} />
        </li>
      ))}
    </ul>
  );
}

function LineLink({ screen, withWord }: { screen: ScreenLink; withWord: boolean }) {
  return (
    <Tip text={screen.name} detail={screen.detail}>
      <NavLink
        to={screen.path}
        // The list of technicians and one technician are different screens.
        end
        aria-label={screen.name}
        className="flex h-8 items-center gap-1.5 rounded-md px-2 text-13 font-medium whitespace-nowrap text-quiet hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-tint aria-[current=page]:text-accent pointer-coarse:h-10 pointer-coarse:min-w-11 pointer-coarse:justify-center"
      >
        <screen.glyph aria-hidden className="size-[18px] shrink-0" />
        {withWord && screen.name}
      </NavLink>
    </Tip>
  );
}

const screenItems = part(async () => (await import('./screen-items.tsx')).ScreenItems);

function ScreensMenu({ screens, unlisted }: ScreenLinksProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const isPhone = useMedia(PHONE);
  const current = screens.find(({ path }) => path === pathname);
  const here = current ?? unlisted.find(({ path }) => matchPath(path, pathname) !== null);
  const name = here === undefined ? t('bar.screens') : isPhone ? here.short : here.name;
  const { trigger, opened, Shown } = useOpener(screenItems, 'menu');
  return (
    <>
      <button
        {...trigger}
        type="button"
        aria-label={here === undefined ? undefined : `${name}, ${t('bar.otherScreens')}`}
        className="flex h-9 min-w-0 items-center gap-1.5 rounded-md px-2 text-14 font-medium hover:bg-sunken pointer-coarse:h-11"
      >
        {current !== undefined && (
          <current.glyph aria-hidden className="size-[18px] shrink-0 text-accent max-sm:hidden" />
        )}
        <span className="truncate">{name}</span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-quiet" />
      </button>
      {Shown !== null && <Shown opened={opened} screens={screens} current={current} />}
    </>
  );
}
