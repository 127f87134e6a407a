import { Columns3 } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { useOpener } from '../ui/opener.ts';
import { part } from '../ui/part.ts';
import { useScreenTool } from '../ui/screen-tools.ts';
import { Tip } from '../ui/tooltip.tsx';
import { layoutText } from './column-layout.ts';
import type { ColumnsMenuProps } from './columns-list.tsx';

const columnsList = part(async () => (await import('./columns-list.tsx')).ColumnsList);

export function ColumnsMenu({ layout, choose }: ColumnsMenuProps) {
  const { t } = useTranslation();
  const { trigger, opened, open, Shown } = useOpener(columnsList, 'dialog');
  useScreenTool({ id: 'columns', glyph: Columns3, text: t('table.columns') }, open);
  const isDefault = layoutText(layout) === '';
  return (
    <>
      <Tip text={t('table.columns')}>
        <IconButton {...trigger} label={t('table.columns')} className="pointer-coarse:size-11">
          <Columns3 aria-hidden className={`size-[18px] ${isDefault ? '' : 'text-accent'}`} />
        </IconButton>
      </Tip>
      {Shown !== null && <Shown opened={opened} layout={layout} choose={choose} />}
    </>
  );
}
