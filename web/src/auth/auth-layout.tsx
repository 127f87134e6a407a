// The layout of the screens before the desk: the logo, one card, and who helps.
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { shop } from '../shop/shop.ts';
import { Logo } from '../ui/logo.tsx';

interface AuthLayoutProps {
  /** Above the title. */
  glyph?: ReactNode;
  title: string;
  hint: ReactNode;
  /** The card shakes after a failure; `shaken` is called at the end. */
  shaking?: boolean;
  shaken?: () => void;
  children: ReactNode;
}

export function AuthLayout({ glyph, title, hint, shaking = false, shaken, children }: AuthLayoutProps) {
  const { t } = useTranslation();
  return (
    <main className="flex min-h-full flex-col items-center justify-center gap-6 px-4 py-10">
      <div className="flex items-center gap-2.5 text-accent [--logo-gap:var(--page)]">
        <Logo className="size-10" />
        <span className="text-14 font-semibold tracking-[0.18em]">{t('brand.subtitle')}</span>
      </div>
      <div
        onAnimationEnd={shaken}
        className={`w-full max-w-[400px] rounded-xl border border-line bg-raised p-8 max-md:p-6 ${shaking ? 'shake' : ''}`}
      >
        {glyph !== undefined && (
          <div className="mb-4 grid size-10 place-items-center rounded-full bg-sunken text-quiet">
            {glyph}
          </div>
        )}
        <h1 className="text-20 font-semibold text-balance">{title}</h1>
        <p className="mt-1 text-14 text-pretty wrap-anywhere text-quiet">{hint}</p>
        {children}
      </div>
      <Support />
    </main>
  );
}

/** Without an address there is nobody to mail to. Before the set-up there is no owner to ask either. */
function Support() {
  const { t } = useTranslation();
  if (shop.supportEmail !== '') {
    return (
      <a href={`mailto:${shop.supportEmail}?subject=Dispatch%20support`} className={quietLinkClasses}>
        {t('login.support')}
      </a>
    );
  }
  if (shop.awaitsSetUp) return null;
  return <p className="text-center text-13 text-balance text-quiet">{t('login.askOwner')}</p>;
}

export const quietLinkClasses =
  'inline-flex items-center rounded-sm text-13 text-quiet underline-offset-4 hover:text-ink hover:underline pointer-coarse:min-h-11';
