import { useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { copyText } from '../ui/clipboard.ts';

/** Copies a secret, and says whether it did. */
export function useCopyToClipboard(text: string): { copy(): void; status: string } {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = () => {
    copyText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return { copy, status: copied === null ? '' : t(copied ? 'account.copied' : 'account.notCopied') };
}
