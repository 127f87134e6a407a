// A board's name, layout and display settings. Only the fields changed here are sent.
import { useId, useRef, useState } from 'react';
import { type Board, changeBoard } from '../api/boards.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { useBoardMutation } from './boards.ts';
import { LayoutField, NameField } from './fields.tsx';
import {
  changedSettings,
  type Draft,
  draftOf,
  rebaseDraft,
  type Settings,
  withLayout,
} from './settings-draft.ts';
import { Categories, DisplayFields, Technicians } from './settings-fields.tsx';

export function SettingsDialog({ board, close }: { board: Board; close: () => void }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useBoardMutation();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const { base, draft, set, isChangedMeanwhile, takeTheirs, keepMine } = useSettingsDraft(board);
  const { name, layout, settings } = draft;
  const change = (part: Partial<Settings>) =>
    set((now) => ({ ...now, settings: { ...now.settings, ...part } }));
  const fields = changedSettings(base, draft);
  const isReady = fields !== null && Object.keys(fields).length > 0 && !isChangedMeanwhile;

  const submit = async () => {
    if (fields === null || !isReady) return;
    const done = await mutate({
      work: () => changeBoard(base.boardId, { ...fields, expectedRevision: base.revision }),
      done: t('boards.saved', { name: name.trim() }),
      failed: t('boards.failed.save', { name: base.name }),
    });
    if (done) close();
  };
  return (
    <Sheet
      open
      close={close}
      title={t('boards.settingsOf', { name: base.name })}
      closeLabel={t('boards.close')}
      initialFocus={() => field.current}
      footer={
        <>
          <Button onClick={close}>{t('boards.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" disabled={!isReady || busy}>
            {t('boards.save')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        className="flex flex-col gap-4"
      >
        {isChangedMeanwhile && <ChangedMeanwhile takeTheirs={takeTheirs} keepMine={keepMine} />}
        <NameField name={name} type={(typed) => set((now) => ({ ...now, name: typed }))} field={field} />
        <LayoutField layout={layout} choose={(chosen) => set((now) => withLayout(now, chosen, base))} />
        <Categories layout={layout} settings={settings} change={change} />
        <Technicians settings={settings} change={change} />
        <DisplayFields settings={settings} change={change} />
      </form>
    </Sheet>
  );
}

interface ChangedMeanwhileProps {
  takeTheirs(): void;
  keepMine(): void;
}

/** Saving is blocked until it is resolved, so it stays in view wherever the sheet is scrolled. */
function ChangedMeanwhile({ takeTheirs, keepMine }: ChangedMeanwhileProps) {
  const { t } = useTranslation();
  return (
    <div
      role="alert"
      className="sticky top-0 z-10 flex flex-col gap-2 rounded-lg bg-stale-tint px-3 py-2 text-13 text-stale"
    >
      <p>{t('boards.changedMeanwhile')}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={takeTheirs}>{t('boards.takeTheirs')}</Button>
        <Button onClick={keepMine}>{t('boards.keepMine')}</Button>
      </div>
    </div>
  );
}

/** The draft begins with the board when the sheet was opened: only the user changes it. */
function useSettingsDraft(board: Board) {
  const [base, rebase] = useState(board);
  const [draft, set] = useState<Draft>(() => draftOf(base));
  return {
    base,
    draft,
    set,
    isChangedMeanwhile: board.revision !== base.revision,
    takeTheirs() {
      rebase(board);
      set(draftOf(board));
    },
    keepMine() {
      rebase(board);
      set(rebaseDraft(draft, draftOf(base), draftOf(board)));
    },
  };
}
