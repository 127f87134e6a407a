// The button and the key of the tray of the user's last changes.
import { History } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { useOpener } from '../ui/opener.ts';
import { part } from '../ui/part.ts';
import { Tip } from '../ui/tooltip.tsx';
import { isHandledElsewhere } from './row-keyboard.ts';

const recentChangesList = part(async () => (await import('./recent-changes-list.tsx')).RecentChangesList);

/** Without props: a search does not render it again. */
export const RecentChangesTray = memo(function RecentChangesTray() {
  const { t } = useTranslation();
  const { trigger, opened, open, Shown } = useOpener(recentChangesList, 'dialog');
  const cameFrom = useTrayKey(open);
  return (
    <>
      <Tip text={t('recent.title')} detail={t('recent.key')}>
        {/* Tooltip and dialog both mark their trigger: so each has its element. */}
        <span>
          <IconButton
            {...trigger}
            label={t('recent.title')}
            aria-keyshortcuts="Shift+Z"
            className="pointer-coarse:size-11"
          >
            <History aria-hidden className="size-[18px]" />
          </IconButton>
        </span>
      </Tip>
      {Shown !== null && <Shown opened={opened} cameFrom={cameFrom} />}
    </>
  );
});

/** Shift-Z opens the tray. Returns where the focus was then. */
function useTrayKey(open: () => void) {
  const cameFrom = useRef<Element | null>(null);
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !event.shiftKey || event.repeat || isHandledElsewhere(event))
        return;
      event.preventDefault();
      cameFrom.current = document.activeElement;
      latest.current();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  return cameFrom;
}
