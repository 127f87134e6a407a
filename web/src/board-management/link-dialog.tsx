// A link that makes the screen on which it is opened a board: for a TV that nobody can type a code for.
import { Copy } from 'lucide-react';
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { type Board, type BoardLayout, type BoardLink, linkBoard } from '../api/boards.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { copyText } from '../ui/clipboard.ts';
import { Input } from '../ui/form-field.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toaster.ts';
import { useBoardMutation } from './boards.ts';
import { LayoutField, NameField } from './fields.tsx';

/** `board`: null for a new one. */
export function LinkDialog({ board, close }: { board: Board | null; close: () => void }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useBoardMutation();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [name, typeName] = useState('');
  const [layout, choose] = useState<BoardLayout>('shop-floor');
  const [link, setLink] = useState<BoardLink | null>(null);
  const isReady = board !== null || name.trim() !== '';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const target = board === null ? { name: name.trim(), layout } : { boardId: board.boardId };
    await mutate({
      work: async () => setLink(await linkBoard(target)),
      failed: t('boards.failed.link'),
    });
  };
  return (
    <Sheet
      open
      close={close}
      title={board === null ? t('boards.link') : t('boards.linkOf', { name: board.name })}
      closeLabel={t('boards.close')}
      initialFocus={() => field.current ?? button.current}
      footer={
        <LinkFoot
          isMade={link !== null}
          isReady={isReady && !busy}
          form={form}
          button={button}
          close={close}
        />
      }
    >
      {link !== null ? (
        <CreatedLink link={link} />
      ) : (
        <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
          <p className="text-13 text-quiet">{t('boards.linkHint')}</p>
          {board?.state === 'paired' && <p className="text-13 text-quiet">{t('boards.takesOver')}</p>}
          {board === null && (
            <>
              <NameField name={name} type={typeName} field={field} />
              <LayoutField layout={layout} choose={choose} />
            </>
          )}
        </form>
      )}
    </Sheet>
  );
}

interface LinkFootProps {
  isMade: boolean;
  isReady: boolean;
  /** The id of the form that makes it. */
  form: string;
  button: RefObject<HTMLButtonElement | null>;
  close(): void;
}

function LinkFoot({ isMade, isReady, form, button, close }: LinkFootProps) {
  const { t } = useTranslation();
  if (isMade)
    return (
      <Button variant="primary" onClick={close}>
        {t('boards.close')}
      </Button>
    );
  return (
    <>
      <Button onClick={close}>{t('boards.cancel')}</Button>
      <Button ref={button} type="submit" form={form} variant="primary" disabled={!isReady}>
        {t('boards.linkVerb')}
      </Button>
    </>
  );
}

function CreatedLink({ link }: { link: BoardLink }) {
  const { t } = useTranslation();
  const clock = useClock();
  const url = new URL(link.url, location.origin).href;
  const copy = async () => {
    const copied = await copyText(url).then(
      () => true,
      () => false,
    );
    showToast({ text: t(copied ? 'boards.linkCopied' : 'account.notCopied') });
  };
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-14">
        {t('boards.linkMade', { time: clock.short(Date.parse(link.expiresAt)) })}
      </p>
      <div className="flex gap-2">
        <Input
          readOnly
          value={url}
          aria-label={t('boards.linkAddress')}
          onFocus={(event) => event.target.select()}
          className="font-mono text-13"
        />
        <IconButton label={t('boards.copyLink')} onClick={() => void copy()}>
          <Copy aria-hidden className="size-[18px]" />
        </IconButton>
      </div>
      <p className="text-12 text-quiet">{t('boards.linkOnce')}</p>
    </div>
  );
}
