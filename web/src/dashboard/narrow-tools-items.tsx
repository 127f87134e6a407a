import { Download, Printer } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { MenuItem, OpenedMenu } from '../ui/menu.tsx';
import type { Opened } from '../ui/opener.ts';

export function NarrowToolsItems({ opened, exportList }: { opened: Opened; exportList: () => void }) {
  const { t } = useTranslation();
  return (
    <OpenedMenu opened={opened}>
      <MenuItem glyph={Download} act={exportList}>
        {t('table.export')}
      </MenuItem>
      {/* Once the menu is gone: it would be on paper, too. */}
      <MenuItem glyph={Printer} act={() => setTimeout(() => window.print())}>
        {t('table.print')}
      </MenuItem>
    </OpenedMenu>
  );
}
