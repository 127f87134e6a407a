import { useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureBanner } from '../ui/panel.tsx';

interface Loaded {
  error: Error | null;
  errorUpdatedAt: number;
  refetch(): unknown;
}

/** Shown until it is dismissed or a load succeeds; a later failure is shown again. */
export function LoadBanner({ loaded, text }: { loaded: Loaded; text: string }) {
  const { t } = useTranslation();
  const [dismissed, dismiss] = useState(0);
  if (loaded.error === null || dismissed === loaded.errorUpdatedAt) return null;
  return (
    <FailureBanner
      text={text}
      dismissLabel={t('users.dismiss')}
      dismiss={() => dismiss(loaded.errorUpdatedAt)}
      action={
        <Button onClick={() => void loaded.refetch()} className="h-8 shrink-0">
          {t('users.retry')}
        </Button>
      }
    />
  );
}
