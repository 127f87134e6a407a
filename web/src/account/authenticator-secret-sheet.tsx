// The secret for an authenticator app: as a QR code, and as a key to type.
import { Copy } from 'lucide-react';
import { encode } from 'uqr';
import type { TwoFactorSecret } from '../api/account.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { useCopyToClipboard } from '../ui/copy-to-clipboard.ts';

export function AuthenticatorSecretSheet({ secret: { secret, uri } }: { secret: TwoFactorSecret }) {
  const { t } = useTranslation();
  const { copy, status } = useCopyToClipboard(secret, {
    copied: t('account.copied'),
    failed: t('account.notCopied'),
  });
  return (
    <div className="flex gap-5 max-md:flex-col">
      <QrCode text={uri} name={t('account.twoFactor.qr')} />
      <div className="flex min-w-0 flex-col gap-3">
        <p>
          <span className="text-14 font-medium">{t('account.twoFactor.scan')}</span>
          <span className="block text-13 text-quiet">{t('account.twoFactor.scanHint')}</span>
        </p>
        <div>
          <p className="text-13 text-quiet">{t('account.twoFactor.manual')}</p>
          <div className="flex items-center gap-1">
            <code className="max-w-[20ch] font-mono text-13 wrap-break-word">{formatSecret(secret)}</code>
            <IconButton label={t('account.twoFactor.copyKey')} onClick={copy}>
              <Copy aria-hidden className="size-4" />
            </IconButton>
            <span role="status" className="text-13 text-quiet">
              {status}
            </span>
          </div>
        </div>
      </div>
    </div>
  );
}

function formatSecret(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}

/** Dark on light in either theme: many cameras read nothing else. */
function QrCode({ text, name }: { text: string; name: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  return (
    <div className="w-fit shrink-0 rounded-lg border border-line bg-white p-3.5">
      <svg
        role="img"
        aria-label={name}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="size-40 fill-black"
      >
        <path d={qrRuns(data)} />
      </svg>
    </div>
  );
}

/** A rectangle for each unbroken run of dark modules in a row. */
function qrRuns(rows: readonly boolean[][]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x++;
      path += `M${from} ${y}h${x + 1 - from}v1h-${x + 1 - from}z`;
    }
  }
  return path;
}
