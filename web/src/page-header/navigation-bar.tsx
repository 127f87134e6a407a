import { LogOut, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, NavLink } from 'react-router';
import type { Permission } from '../api/session.ts';
import { signOutAfterGuards } from '../auth/sign-out.ts';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { Tip } from '../ui/tooltip.tsx';
import { FreshnessIndicator } from './freshness-indicator.tsx';
import { PreferencesMenu } from './preferences-menu.tsx';

/** A screen the bar leads to. `needs`: the permission without which the link is not shown. */
export interface ScreenLink {
  path: string;
  glyph: LucideIcon;
  name: string;
  detail: string;
  needs?: Permission;
}

/** `tools`: components of other features, shown beside the preferences. */
export function NavigationBar({ screens, tools }: { screens: readonly ScreenLink[]; tools?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-raised pr-2 pl-3.5 max-md:gap-1 max-md:px-1.5">
      <Link
        to="/"
        aria-label={t('bar.home')}
        className="-ml-1 flex items-center gap-2 max-md:ml-0 rounded-md px-1 py-1 text-accent pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:justify-center"
      >
        <Logo className="size-6" />
        <span className="text-13 font-semibold tracking-[0.16em] max-md:hidden">{t('brand.subtitle')}</span>
      </Link>
      {screens.length > 0 && (
        // On a phone it scrolls: links that do not fit are reached by scrolling, and the page keeps the screen's
        // width.
        <nav
          aria-label={t('bar.screens')}
          className="flex items-center gap-1 max-md:min-w-0 max-md:gap-0 max-md:overflow-x-auto max-md:[scrollbar-width:none]"
        >
          {screens.map((screen) => (
            <BarLink key={screen.path} screen={screen} />
          ))}
        </nav>
      )}
      <div className="flex-1 max-md:min-w-0" />
      <FreshnessIndicator />
      <SignedInUser />
      <div className="flex items-center">
        {tools}
        <PreferencesMenu />
        <Tip text={t('bar.signOut')}>
          <IconButton label={t('bar.signOut')} onClick={() => void signOutAfterGuards()}>
            <LogOut aria-hidden className="size-[18px]" />
          </IconButton>
        </Tip>
      </div>
    </header>
  );
}

function BarLink({ screen }: { screen: ScreenLink }) {
  const user = useUser();
  if (screen.needs !== undefined && !user.permissions.includes(screen.needs)) return null;
  return (
    <Tip text={screen.name} detail={screen.detail}>
      <NavLink
        to={screen.path}
        // The list of technicians and one technician are different screens.
        end
        aria-label={screen.name}
        className="grid size-9 shrink-0 pointer-coarse:size-11 place-items-center rounded-md text-quiet hover:bg-sunken hover:text-ink aria-[current=page]:text-accent"
      >
        <screen.glyph aria-hidden className="size-[18px]" />
      </NavLink>
    </Tip>
  );
}

function SignedInUser() {
  const { t } = useTranslation();
  const user = useUser();
  const roles = user.roles.map((role) => t(`role.${role}`));
  return (
    <p
      className="min-w-0 border-l border-line pl-3 text-right max-md:hidden"
      title={t('bar.signedInAs', { name: `${user.name} (${user.email})` })}
    >
      <span className="block truncate text-13 font-medium">{user.name}</span>
      <span className="block truncate text-12 text-quiet">{roles.join(', ')}</span>
    </p>
  );
}
