import { useState } from 'react';
import { copyText } from './clipboard.ts';

interface CopyTexts {
  copied: string;
  failed: string;
}

/** Copies a secret, and says whether it did. */
export function useCopyToClipboard(text: string, texts: CopyTexts): { copy(): void; status: string } {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = () => {
    copyText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return { copy, status: copied === null ? '' : copied ? texts.copied : texts.failed };
}
