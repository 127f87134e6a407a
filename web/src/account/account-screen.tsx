// The user's own account: password, second factor and sessions.
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

export function AccountScreen() {
  const { t } = useTranslation();
  const user = useUser();
  usePageTitle(t('account.title'));
  const roles = user.roles.map((role) => t(`role.${role}`)).join(', ');
  return (
    <main className="flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-[920px] flex-col px-6 py-8 max-md:px-4 max-md:py-5">
        <header className="flex flex-col gap-1 pb-7 max-md:pb-5">
          <h1 className="text-20 font-semibold">{t('account.title')}</h1>
          <p className="text-14 wrap-anywhere text-quiet">
            {user.name === '' ? '' : `${user.name} · `}
            {user.email}
            {roles === '' ? '' : ` · ${roles}`}
          </p>
        </header>
        <PasswordSection />
        <TwoFactorSection />
        <SessionsSection />
      </div>
    </main>
  );
}
