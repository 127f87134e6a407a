// The recovery codes, which the server tells this once: to be copied or printed before they are gone.
import { Copy, Printer } from 'lucide-react';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shop } from '../shop/shop.ts';
import { Button } from '../ui/button.tsx';
import { useCopyToClipboard } from '../ui/copy-to-clipboard.ts';
import { PrintOnly } from '../ui/print-only.tsx';

export function RecoveryCodes({ codes, done }: { codes: readonly string[]; done(): void }) {
  const { t } = useTranslation();
  const { email } = useUser();
  const { copy, status } = useCopyToClipboard(codes.join('\n'), {
    copied: t('account.copied'),
    failed: t('account.notCopied'),
  });
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="text-14 font-medium">{t('account.recovery.title')}</h3>
        <p className="mt-1 text-13 text-pretty text-quiet">{t('account.recovery.hint')}</p>
      </div>
      <Codes codes={codes} />
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={copy} className="max-md:h-11">
          <Copy aria-hidden className="size-4" />
          {t('account.recovery.copy')}
        </Button>
        <Button onClick={() => window.print()} className="max-md:h-11">
          <Printer aria-hidden className="size-4" />
          {t('account.recovery.print')}
        </Button>
        <Button variant="primary" onClick={done} className="max-md:h-11 max-md:w-full">
          {t('account.recovery.done')}
        </Button>
        <span role="status" className="text-13 text-quiet">
          {status}
        </span>
      </div>
      <PrintOnly>
        <section className="print-sheet">
          <header>
            <h1>
              {shop.brandName} {t('brand.subtitle')}
            </h1>
            <p>{t('account.recovery.printTitle', { email })}</p>
          </header>
          <Codes codes={codes} />
        </section>
      </PrintOnly>
    </div>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <ol
      aria-label={t('account.recovery.title')}
      className="grid w-fit grid-cols-2 gap-x-10 gap-y-1.5 rounded-lg bg-sunken px-4 py-3 font-mono text-14"
    >
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
  );
}
