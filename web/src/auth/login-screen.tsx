import { Eye, EyeOff } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { signIn } from '../api/session.ts';
import { sentence } from '../i18n/sentence.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shop } from '../shop/shop.ts';
import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';

const SUPPORT_LINK = `mailto:${shop.supportEmail}?subject=Dispatch%20support`;

export function LoginScreen() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [shaking, setShaking] = useState(false);
  const [shown, setShown] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    // An alert is announced when its text changes, and the same failure twice would be no change.
    setFailure(null);
    try {
      // The route sends whoever is signed in to the dashboard.
      await signIn(String(form.get('email')), String(form.get('password')));
    } catch (error) {
      setFailure(sentence(error, t) || t('login.failed'));
      setShaking(true);
      setBusy(false);
    }
  };

  return (
    <main className="flex min-h-full flex-col items-center justify-center gap-6 px-4 py-10">
      <div className="flex items-center gap-2.5 text-accent [--logo-gap:var(--page)]">
        <Logo className="size-10" />
        <span className="text-14 font-semibold tracking-[0.18em]">{t('brand.subtitle')}</span>
      </div>
      <div
        onAnimationEnd={() => setShaking(false)}
        className={`w-full max-w-[400px] rounded-xl border border-line bg-raised p-8 max-md:p-6 ${shaking ? 'shake' : ''}`}
      >
        <h1 className="text-20 font-semibold text-balance">
          {t('login.title', { brandName: shop.brandName })}
        </h1>
        <p className="mt-1 text-14 text-quiet">{t('login.tag')}</p>
        <form onSubmit={submit} className="mt-6 flex flex-col gap-4">
          <label className="flex flex-col gap-1.5 text-13 font-medium">
            {t('login.email')}
            <input name="email" type="email" required autoComplete="username" className={inputLook} />
          </label>
          <div className="flex flex-col gap-1.5">
            <label htmlFor="password" className="text-13 font-medium">
              {t('login.password')}
            </label>
            <div className="relative">
              <input
                id="password"
                name="password"
                type={shown ? 'text' : 'password'}
                required
                autoComplete="current-password"
                className={`${inputLook} w-full pr-11`}
              />
              <button
                type="button"
                aria-label={shown ? t('login.hidePassword') : t('login.showPassword')}
                aria-pressed={shown}
                onClick={() => setShown(!shown)}
                className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-quiet hover:text-ink"
              >
                {shown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
              </button>
            </div>
          </div>
          <p role="alert" className="rounded-md bg-danger-tint px-3 py-2 text-13 text-danger empty:hidden">
            {failure}
          </p>
          <Button type="submit" look="primary" disabled={busy} className="mt-1 h-11 w-full">
            {busy ? t('login.submitting') : t('login.submit')}
          </Button>
        </form>
      </div>
      <a
        href={SUPPORT_LINK}
        className="inline-flex items-center rounded-sm text-13 pointer-coarse:min-h-11 text-quiet underline-offset-4 hover:text-ink hover:underline"
      >
        {t('login.support')}
      </a>
    </main>
  );
}

const inputLook =
  'h-11 rounded-md border border-line-strong bg-raised px-3 text-14 font-normal text-ink placeholder:text-quiet';
