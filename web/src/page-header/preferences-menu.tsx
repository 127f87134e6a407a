import { Settings2 } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { useOpener } from '../ui/opener.ts';
import { part } from '../ui/part.ts';

const preferencesItems = part(async () => (await import('./preferences-items.tsx')).PreferencesItems);

export function PreferencesMenu() {
  const { t } = useTranslation();
  const { trigger, opened, Shown } = useOpener(preferencesItems, 'menu');
  return (
    <>
      <IconButton {...trigger} label={t('bar.preferences')} title={t('bar.preferences')}>
        <Settings2 aria-hidden className="size-[18px]" />
      </IconButton>
      {Shown !== null && <Shown opened={opened} />}
    </>
  );
}
