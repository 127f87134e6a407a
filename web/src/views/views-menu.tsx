// The button at the desk's tools: opens a named view, and leads to the sheet where views are saved and changed.
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { dialogTexts } from '../i18n/dialogs.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { deferred } from '../ui/deferred.tsx';
import { useOpener } from '../ui/opener.ts';
import { part } from '../ui/part.ts';
import { useScreenTool } from '../ui/screen-tools.ts';

const viewItems = part(async () => (await import('./view-items.tsx')).ViewsItems);
const ViewsSheet = deferred(async () => {
  const [{ ViewsSheet: loaded }] = await Promise.all([import('./views-sheet.tsx'), loadTexts(dialogTexts)]);
  return loaded;
});

interface ViewsMenuProps {
  /** Of the view that is on screen. */
  query: string;
  /** Called with the query of the view that is opened. */
  choose(query: string): void;
}

export function ViewsMenu({ query, choose }: ViewsMenuProps) {
  const { t } = useTranslation();
  const [managing, manage] = useState(false);
  const { trigger, opened, Shown } = useOpener(viewItems, 'menu');
  useScreenTool({ id: 'views', glyph: Bookmark, text: t('views.manage') }, () => manage(true));
  return (
    <>
      <IconButton
        {...trigger}
        label={t('views.title')}
        title={t('views.title')}
        className="pointer-coarse:size-11"
      >
        <Bookmark aria-hidden className="size-[18px]" />
      </IconButton>
      {Shown !== null && <Shown opened={opened} query={query} choose={choose} manage={() => manage(true)} />}
      {managing && <ViewsSheet query={query} choose={choose} close={() => manage(false)} />}
    </>
  );
}
