// The button and the key of the tray of the user's last changes.
import { History } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { dialogTexts } from '../i18n/dialogs.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { RECENT_CHANGES_TOOL } from '../repair-order/recent-changes.ts';
import { GlyphButton, IconButton } from '../ui/button.tsx';
import { useOpener } from '../ui/opener.ts';
import { part } from '../ui/part.ts';
import { useScreenTool } from '../ui/screen-tools.ts';
import { Tip } from '../ui/tooltip.tsx';
import { isHandledElsewhere } from './row-keyboard.ts';

const recentChangesList = part(async () => {
  const [list] = await Promise.all([import('./recent-changes-list.tsx'), loadTexts(dialogTexts)]);
  return list.RecentChangesList;
});

interface RecentChangesTrayProps {
  /** There is room for its word. */
  hasWord?: boolean;
  /** How many changes wait to be sent: each is listed once it is. */
  waiting?: number;
}

/** A search does not render it again. */
export const RecentChangesTray = memo(function RecentChangesTray({
  hasWord = false,
  waiting = 0,
}: RecentChangesTrayProps) {
  const { t } = useTranslation();
  const { trigger, opened, open, Shown } = useOpener(recentChangesList, 'dialog');
  const cameFrom = useRef<Element | null>(null);
  const openHere = () => {
    cameFrom.current = document.activeElement;
    open();
  };
  useTrayKey(openHere);
  useScreenTool(
    { id: RECENT_CHANGES_TOOL, glyph: History, text: t('recent.title'), keys: t('recent.key') },
    openHere,
  );
  return (
    <>
      <Tip text={t('recent.title')} detail={t('recent.key')}>
        {hasWord ? (
          <GlyphButton
            {...trigger}
            label={t('recent.title')}
            word={t('recent.short')}
            shortWord={t('recent.short')}
            aria-keyshortcuts="Shift+Z"
          >
            <History aria-hidden className="size-[18px]" />
          </GlyphButton>
        ) : (
          <IconButton
            {...trigger}
            label={t('recent.title')}
            aria-keyshortcuts="Shift+Z"
            className="pointer-coarse:size-11"
          >
            <History aria-hidden className="size-[18px]" />
          </IconButton>
        )}
      </Tip>
      {Shown !== null && <Shown opened={opened} cameFrom={cameFrom} waiting={waiting} />}
    </>
  );
});

/** Shift-Z opens the tray. */
function useTrayKey(open: () => void) {
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !event.shiftKey || event.repeat || isHandledElsewhere(event))
        return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}
