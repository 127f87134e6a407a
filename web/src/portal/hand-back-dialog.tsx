// Hands an order back, with a preset reason or the technician's own words.
import { useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';

const reasons = ['parts', 'skill', 'busy', 'missing', 'other'] as const;
type Reason = (typeof reasons)[number];

/** Characters; the server takes no more. */
const MAX_REASON_LENGTH = 500;

interface HandBackDialogProps {
  /** The RO number as it is displayed. */
  number: string;
  handBack(reason: string): void;
  close(): void;
}

export function HandBackDialog({ number, handBack, close }: HandBackDialogProps) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<Reason | null>(null);
  const [words, setWords] = useState('');
  const reason = chosen === null ? '' : chosen === 'other' ? words.trim() : t(`portal.handBack.${chosen}`);
  const give = () => {
    if (reason === '') return;
    handBack(reason);
    close();
  };
  return (
    <Sheet
      open
      close={close}
      title={t('portal.handBack.title', { number })}
      closeLabel={t('portal.handBack.cancel')}
      footer={
        <>
          <Button onClick={close} className="h-12 max-md:flex-1">
            {t('portal.handBack.cancel')}
          </Button>
          <Button variant="primary" disabled={reason === ''} onClick={give} className="h-12 max-md:flex-1">
            {t('portal.handBack.verb')}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-13 text-quiet">{t('portal.handBack.hint')}</p>
      <ReasonChoice chosen={chosen} choose={choose} />
      {chosen === 'other' && (
        <textarea
          aria-label={t('portal.handBack.otherLabel')}
          value={words}
          maxLength={MAX_REASON_LENGTH}
          onChange={(event) => setWords(event.target.value)}
          // biome-ignore lint/a11y/noAutofocus: it was just asked for
          autoFocus
          rows={3}
          className="mt-2 w-full rounded-md border border-line-strong bg-raised px-2.5 py-2 text-14 max-md:text-16"
        />
      )}
    </Sheet>
  );
}

interface ReasonChoiceProps {
  chosen: Reason | null;
  choose(reason: Reason): void;
}

function ReasonChoice({ chosen, choose }: ReasonChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{t('portal.handBack.reasons')}</legend>
      {reasons.map((one) => (
        <label
          key={one}
          className="flex min-h-12 items-center gap-3 rounded-lg border border-line px-3.5 text-14 font-medium has-checked:border-accent has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="reason"
            checked={chosen === one}
            onChange={() => choose(one)}
            className="size-5 shrink-0 accent-accent outline-none"
          />
          {t(`portal.handBack.${one}`)}
        </label>
      ))}
    </fieldset>
  );
}
