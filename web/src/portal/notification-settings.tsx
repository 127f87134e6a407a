// How this device announces assignments: by sound, by notifications, and while the page is closed.
import { BellRing, Volume2, VolumeX } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { PushSwitch } from '../offline/push-switch.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { SwitchButton } from '../ui/switch-button.tsx';
import { chime, chooseSound, unlockSound, useSound } from './assignment-sound.ts';
import { requestNotificationPermission, useNotificationPermission } from './browser-notification.ts';

export function NotificationSettings({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const { on } = useSound();
  const permission = useNotificationPermission();
  return (
    <Sheet open close={close} title={t('portal.announce.title')} closeLabel={t('details.close')}>
      <p className="mb-4 text-13 text-quiet">{t('portal.announce.hint')}</p>
      <div className="flex flex-col items-start gap-3">
        <SwitchButton
          glyph={on ? Volume2 : VolumeX}
          label={t('portal.announce.sound')}
          state={t(on ? 'offline.push.on' : 'offline.push.off')}
          isOn={on}
          turn={(next) => {
            chooseSound(next);
            if (!next) return;
            unlockSound();
            // Turning it on plays the sound.
            chime();
          }}
        />
        {permission === 'default' && (
          <div>
            <Button onClick={() => void requestNotificationPermission()} className="h-11">
              <BellRing aria-hidden className="size-4" />
              {t('portal.notify.ask')}
            </Button>
            <p className="mt-1 text-12 text-quiet">{t('portal.notify.askHint')}</p>
          </div>
        )}
        {permission === 'denied' && <p className="text-13 text-quiet">{t('portal.notify.denied')}</p>}
        {permission !== 'denied' && <PushSwitch />}
      </div>
    </Sheet>
  );
}
