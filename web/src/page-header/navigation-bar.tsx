import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { signOutAfterGuards } from '../auth/sign-out.ts';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { Tip } from '../ui/tooltip.tsx';
import { FreshnessIndicator } from './freshness-indicator.tsx';
import { PreferencesMenu } from './preferences-menu.tsx';
import { type ScreenLink, ScreenLinks, type UnlistedScreen } from './screen-links.tsx';

interface NavigationBarProps {
  screens: readonly ScreenLink[];
  unlisted: readonly UnlistedScreen[];
  /** Components of other features, shown beside the preferences. */
  tools?: ReactNode;
}

export function NavigationBar({ screens, unlisted, tools }: NavigationBarProps) {
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
      <ScreenLinks screens={screens} unlisted={unlisted} />
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

function SignedInUser() {
  const { t } = useTranslation();
  const user = useUser();
  const roles = user.roles.map((role) => t(`role.${role}`));
  return (
    <p
      className="max-w-48 min-w-0 border-l border-line pl-3 text-right max-md:hidden"
      title={t('bar.signedInAs', { name: `${user.name} (${user.email})` })}
    >
      <span className="block truncate text-13 font-medium">{user.name}</span>
      <span className="block truncate text-12 text-quiet">{roles.join(', ')}</span>
    </p>
  );
}
