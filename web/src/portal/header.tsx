// Whose portal it is, and what this device does with what arrives.
import { BellRing, History, Volume2, VolumeX } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { chime, chooseSound, unlockSound, useSound } from './chime.ts';
import { askToNotify, usePermissionToNotify } from './notification.ts';

interface HeaderProps {
  title: string;
  specialty: string;
  /** Assignments are announced here. */
  own: boolean;
  /** Null: the entries are not for the reader. */
  openEntries: (() => void) | null;
}

export function Header({ title, specialty, own, openEntries }: HeaderProps) {
  const { t } = useTranslation();
  return (
    <div className="flex min-w-0 items-start gap-2">
      <div className="min-w-0 flex-1">
        <h1 className="text-20 font-semibold break-words">{title}</h1>
        {specialty !== '' && <p className="text-13 text-quiet">{specialty}</p>}
      </div>
      <div className="flex shrink-0 items-center">
        {own && <Announcing />}
        {openEntries !== null && (
          <IconButton
            label={t('clock.entries.title')}
            title={t('clock.entries.title')}
            onClick={openEntries}
            className="max-lg:size-11"
          >
            <History aria-hidden className="size-[18px]" />
          </IconButton>
        )}
      </div>
    </div>
  );
}

function Announcing() {
  const { t } = useTranslation();
  const { on } = useSound();
  const permission = usePermissionToNotify();
  const Glyph = on ? Volume2 : VolumeX;
  const toggle = () => {
    chooseSound(!on);
    if (on) return;
    unlockSound();
    // It says itself what it sounds like.
    chime();
  };
  return (
    <>
      {permission === 'default' && (
        <Button
          title={t('portal.notify.askHint')}
          onClick={() => void askToNotify()}
          className="mr-1 h-9 px-3 text-13 max-lg:h-11"
        >
          <BellRing aria-hidden className="size-4" />
          <span className="max-sm:sr-only">{t('portal.notify.ask')}</span>
        </Button>
      )}
      <IconButton
        label={t(on ? 'portal.sound.on' : 'portal.sound.off')}
        title={t(on ? 'portal.sound.on' : 'portal.sound.off')}
        aria-pressed={on}
        onClick={toggle}
        className="max-lg:size-11"
      >
        <Glyph aria-hidden className="size-[18px]" />
      </IconButton>
    </>
  );
}
