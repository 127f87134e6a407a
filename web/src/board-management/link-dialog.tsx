// A link that makes the screen on which it is opened a board: for a TV that nobody can type a code for.
import { Copy } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { type Board, type BoardLayout, type BoardLink, linkBoard } from '../api/boards.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { copyText } from '../ui/clipboard.ts';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toaster.ts';
import { inputClasses } from '../users/form-field.tsx';
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

  const submit = async () => {
    if (!isReady) return;
    const target = board === null ? { name: name.trim(), layout } : { boardId: board.boardId };
    const done = await mutate({ work: () => linkBoard(target), failed: t('boards.failed.link') });
    if (done !== null) setLink(done.answer);
  };
  return (
    <Sheet
      open
      close={close}
      title={board === null ? t('boards.link') : t('boards.linkOf', { name: board.name })}
      closeLabel={t('boards.close')}
      initialFocus={() => field.current ?? button.current}
      footer={
        link === null ? (
          <>
            <Button onClick={close}>{t('boards.cancel')}</Button>
            <Button ref={button} type="submit" form={form} variant="primary" disabled={!isReady || busy}>
              {t('boards.linkVerb')}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={close}>
            {t('boards.close')}
          </Button>
        )
      }
    >
      {link !== null ? (
        <CreatedLink link={link} />
      ) : (
        <form
          id={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
          className="flex flex-col gap-4"
        >
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
        <input
          readOnly
          value={url}
          aria-label={t('boards.linkAddress')}
          onFocus={(event) => event.target.select()}
          className={`${inputClasses} font-mono text-13`}
        />
        <IconButton label={t('boards.copyLink')} onClick={() => void copy()}>
          <Copy aria-hidden className="size-[18px]" />
        </IconButton>
      </div>
      <p className="text-12 text-quiet">{t('boards.linkOnce')}</p>
    </div>
  );
}
