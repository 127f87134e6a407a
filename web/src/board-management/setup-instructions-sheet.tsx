// How a screen comes to show the board as soon as it is switched on: what to do at each kind of screen.
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';

const screens = ['pi', 'fire', 'tv'] as const;

export function SetUpSheet({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const address = `${location.origin}/board`;
  const flags =
    '--kiosk --noerrdialogs --disable-infobars --disable-session-crashed-bubble --check-for-update-interval=31536000 --password-store=basic';
  const chromium = `while true; do chromium ${flags} ${address}; sleep 5; done &`;
  return (
    <Sheet
      open
      close={close}
      title={t('boards.setUp')}
      closeLabel={t('boards.close')}
      footer={
        <Button variant="primary" onClick={close}>
          {t('boards.close')}
        </Button>
      }
    >
      <p className="text-14">{t('boards.setUpHow')}</p>
      <p className="mt-2 rounded-md bg-sunken px-3 py-2 font-mono text-13 break-all select-all">{address}</p>
      {screens.map((screen) => (
        <section key={screen} className="mt-5">
          <h2 className="text-14 font-semibold">{t(`boards.setUpOn.${screen}.title`)}</h2>
          <ol className="mt-1.5 flex list-decimal flex-col gap-1.5 pl-5 text-13">
            <li>{t(`boards.setUpOn.${screen}.first`)}</li>
            <li>
              {t(`boards.setUpOn.${screen}.second`)}
              {screen === 'pi' && (
                <code className="mt-1 block rounded-md bg-sunken px-3 py-2 text-12 break-all select-all">
                  {chromium}
                </code>
              )}
            </li>
            <li>{t(`boards.setUpOn.${screen}.third`)}</li>
          </ol>
        </section>
      ))}
      <p className="mt-5 text-12 text-quiet">{t('boards.setUpOld')}</p>
    </Sheet>
  );
}
