// A screen shows a code: typed here, it becomes a board.
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { type Board, type BoardLayout, claimBoard } from '../api/boards.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/form-field.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { useBoardMutation } from './boards.ts';
import { LayoutField, NameField } from './fields.tsx';

/** The number of characters in a code. */
const CODE_LENGTH = 6;
const normaliseCode = (typed: string) => typed.toUpperCase().replace(/[^0-9A-Z]/g, '');

interface PairDialogProps {
  /** The board the screen becomes; null: a new one, or one chosen here. */
  board: Board | null;
  all: readonly Board[];
  /** The code from the address. */
  code: string;
  close(): void;
}

export function PairDialog({ board, all, code: scanned, close }: PairDialogProps) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useBoardMutation();
  const form = useId();
  const codeField = useRef<HTMLInputElement>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const [code, typeCode] = useState(normaliseCode(scanned));
  const [boardId, chooseBoard] = useState(board?.boardId ?? '');
  const [name, typeName] = useState('');
  const [layout, choose] = useState<BoardLayout>('shop-floor');
  const chosenBoard = all.find((one) => one.boardId === boardId);
  const isReady =
    normaliseCode(code).length === CODE_LENGTH && (chosenBoard !== undefined || name.trim() !== '');

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const target =
      chosenBoard === undefined ? { name: name.trim(), layout } : { boardId: chosenBoard.boardId };
    const called = chosenBoard?.name ?? name.trim();
    const done = await mutate({
      work: () => claimBoard(normaliseCode(code), target),
      done: t('boards.paired', { name: called }),
      failed: t('boards.failed.pair'),
    });
    if (done) close();
    else codeField.current?.select();
  };
  return (
    <Sheet
      open
      close={close}
      title={board === null ? t('boards.pair') : t('boards.pairOf', { name: board.name })}
      closeLabel={t('boards.close')}
      initialFocus={() => (scanned === '' ? codeField.current : nameField.current)}
      footer={
        <>
          <Button onClick={close}>{t('boards.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" disabled={!isReady || busy}>
            {t('boards.pairVerb')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <CodeField code={code} type={typeCode} field={codeField} />
        {board === null && all.length > 0 && <BoardSelect all={all} chosen={boardId} choose={chooseBoard} />}
        {chosenBoard === undefined ? (
          <>
            <NameField name={name} type={typeName} field={nameField} />
            <LayoutField layout={layout} choose={choose} />
          </>
        ) : (
          chosenBoard.state === 'paired' && <p className="text-13 text-quiet">{t('boards.takesOver')}</p>
        )}
      </form>
    </Sheet>
  );
}

interface CodeFieldProps {
  code: string;
  type(code: string): void;
  field: RefObject<HTMLInputElement | null>;
}

function CodeField({ code, type, field }: CodeFieldProps) {
  const { t } = useTranslation();
  const hint = useId();
  return (
    <div>
      <Field label={t('boards.code')}>
        <Input
          ref={field}
          value={code}
          onChange={(event) => type(event.target.value.toUpperCase())}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={CODE_LENGTH + 4}
          aria-describedby={hint}
          className="font-mono text-20 tracking-[0.3em] max-md:text-20"
        />
      </Field>
      <p id={hint} className="mt-1 text-12 text-quiet">
        {t('boards.codeHint', { address: `${location.host}/board` })}
      </p>
    </div>
  );
}

interface BoardSelectProps {
  all: readonly Board[];
  chosen: string;
  choose(boardId: string): void;
}

function BoardSelect({ all, chosen, choose }: BoardSelectProps) {
  const { t } = useTranslation();
  return (
    <Field label={t('boards.which')}>
      <Select value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value="">{t('boards.aNewOne')}</option>
        {all.map((one) => (
          <option key={one.boardId} value={one.boardId}>
            {one.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
