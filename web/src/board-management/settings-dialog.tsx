// A board's name, layout and display settings. Only the fields changed here are sent.
import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { type Board, changeBoard } from '../api/boards.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { languages } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { technicians } from '../repair-order/technician-choice.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Field, inputClasses, Select } from '../users/form-field.tsx';
import { useBoardMutation } from './boards.ts';
import { LayoutField, NameField } from './fields.tsx';
import { layoutAppearance } from './layouts.ts';
import {
  COLUMN_RANGE,
  changedSettings,
  type Draft,
  draftOf,
  isComplete,
  isValidColumnCount,
  PAGE_SECONDS_RANGE,
  rebaseDraft,
  type Settings,
  withLayout,
} from './settings-draft.ts';

export function SettingsDialog({ board, close }: { board: Board; close: () => void }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useBoardMutation();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  // The board when the sheet was opened: only the user changes a draft.
  const [base, rebase] = useState(board);
  const [draft, set] = useState<Draft>(() => draftOf(base));
  const { name, layout, settings } = draft;
  const change = (part: Partial<Settings>) =>
    set((now) => ({ ...now, settings: { ...now.settings, ...part } }));
  const choose = (chosen: Board['layout']) => set((now) => withLayout(now, chosen, base));
  const fields = changedSettings(base, draft);
  const isChangedMeanwhile = board.revision !== base.revision;
  const isReady = fields !== null && Object.keys(fields).length > 0 && !isChangedMeanwhile;

  const submit = async () => {
    if (fields === null || !isReady) return;
    const done = await mutate({
      work: () => changeBoard(base.boardId, { ...fields, expectedRevision: base.revision }),
      done: t('boards.saved', { name: name.trim() }),
      failed: t('boards.failed.save', { name: base.name }),
    });
    if (done !== null) close();
  };
  const takeTheirs = () => {
    rebase(board);
    set(draftOf(board));
  };
  const keepMine = () => {
    rebase(board);
    set(rebaseDraft(draft, draftOf(base), draftOf(board)));
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
        {isChangedMeanwhile && (
          <div
            role="alert"
            // The conflict stays in view wherever the sheet is scrolled: saving is blocked until it is resolved.
            className="sticky top-0 z-10 flex flex-col gap-2 rounded-lg bg-stale-tint px-3 py-2 text-13 text-stale"
          >
            <p>{t('boards.changedMeanwhile')}</p>
            <div className="flex flex-wrap gap-2">
              <Button onClick={takeTheirs}>{t('boards.takeTheirs')}</Button>
              <Button onClick={keepMine}>{t('boards.keepMine')}</Button>
            </div>
          </div>
        )}
        <NameField name={name} type={(typed) => set((now) => ({ ...now, name: typed }))} field={field} />
        <LayoutField layout={layout} choose={choose} />
        <Categories layout={layout} settings={settings} change={change} />
        <Technicians settings={settings} change={change} />
        <div className="grid grid-cols-2 gap-x-4 gap-y-3">
          <Field label={t('boards.theme')}>
            <Select
              value={settings.theme}
              onChange={({ target }) => change({ theme: target.value === 'light' ? 'light' : 'dark' })}
            >
              <option value="dark">{t('boards.dark')}</option>
              <option value="light">{t('boards.light')}</option>
            </Select>
          </Field>
          <Field label={t('boards.textSize')}>
            <Select
              value={settings.textSize}
              onChange={({ target }) => {
                const size = textSizes.find((one) => one === target.value);
                if (size !== undefined) change({ textSize: size });
              }}
            >
              {textSizes.map((size) => (
                <option key={size} value={size}>
                  {t(`boards.textSizeName.${size}`)}
                </option>
              ))}
            </Select>
          </Field>
          <NumberField
            label={t('boards.columns')}
            range={COLUMN_RANGE}
            value={settings.columns}
            type={(columns) => change({ columns })}
            isGood={isValidColumnCount(settings)}
            placeholder={t('boards.asManyAsFit')}
          />
          <NumberField
            label={t('boards.pageSeconds')}
            range={PAGE_SECONDS_RANGE}
            value={settings.pageSeconds}
            type={(pageSeconds) => change({ pageSeconds })}
            isGood={isComplete(Number(settings.pageSeconds), PAGE_SECONDS_RANGE)}
          />
          <Field label={t('boards.language')}>
            <Select
              value={settings.language ?? ''}
              onChange={({ target }) =>
                change({ language: boardLanguages.find((one) => one === target.value) ?? null })
              }
            >
              <option value="">{t('boards.languageOfScreen')}</option>
              {boardLanguages.map((one) => (
                <option key={one} value={one}>
                  {languages[one]}
                </option>
              ))}
            </Select>
          </Field>
          <span aria-hidden />
          <Field label={t('boards.dimFrom')}>
            <input
              type="time"
              value={settings.dimFrom ?? ''}
              onChange={({ target }) => change({ dimFrom: target.value === '' ? null : target.value })}
              className={inputClasses}
            />
          </Field>
          <Field label={t('boards.dimUntil')}>
            <input
              type="time"
              value={settings.dimUntil ?? ''}
              onChange={({ target }) => change({ dimUntil: target.value === '' ? null : target.value })}
              className={inputClasses}
            />
          </Field>
        </div>
        <p className="text-12 text-quiet">{t('boards.dimHint')}</p>
      </form>
    </Sheet>
  );
}

const textSizes = ['normal', 'large', 'larger'] as const;
const boardLanguages = ['en', 'de', 'es'] as const;

interface NumberFieldProps {
  label: string;
  range: readonly [number, number];
  value: string;
  type(value: string): void;
  isGood: boolean;
  placeholder?: string;
}

function NumberField({ label, range: [least, most], value, type, isGood, placeholder }: NumberFieldProps) {
  const { t } = useTranslation();
  const hint = useId();
  return (
    <div className="min-w-0">
      <Field label={label}>
        <input
          type="number"
          inputMode="numeric"
          min={least}
          max={most}
          value={value}
          placeholder={placeholder}
          onChange={({ target }) => type(target.value)}
          aria-invalid={!isGood}
          aria-describedby={isGood ? undefined : hint}
          className={inputClasses}
        />
      </Field>
      {!isGood && (
        <p id={hint} className="mt-1 text-12 text-danger">
          {t('boards.range', { least, most })}
        </p>
      )}
    </div>
  );
}

interface PartProps {
  settings: Settings;
  change(part: Partial<Settings>): void;
}

/** None is chosen: all of them. */
function Categories({ layout, settings, change }: PartProps & { layout: Board['layout'] }) {
  const { t } = useTranslation();
  const can = layoutAppearance[layout].categories;
  const shown = can.filter((one) => settings.categories.includes(one));
  const chosen = shown.length === 0 ? can : shown;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-13 font-medium">{t('boards.categories')}</legend>
      <div className="flex flex-wrap gap-x-4">
        {can.map((one) => (
          <Check
            key={one}
            text={t(`status.${one}`)}
            checked={chosen.includes(one)}
            // The last category cannot be removed: a board needs one.
            disabled={chosen.length === 1 && chosen.includes(one)}
            toggle={() =>
              change({
                categories: chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one],
              })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

function Technicians({ settings, change }: PartProps) {
  const { t } = useTranslation();
  const { data: list, error } = useQuery(technicians);
  const chosen = settings.technicians;
  // A chosen technician who no longer exists is listed and can be removed.
  const missing =
    list === undefined ? [] : chosen.filter((id) => !list.some((one) => one.idTechnician === id));
  const all = [
    ...(list ?? []).map(({ idTechnician: id, displayName: text }) => ({ id, text })),
    ...missing.map((id) => ({ id, text: t('boards.formerTechnician', { id }) })),
  ];
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-13 font-medium">{t('boards.technicians')}</legend>
      <div className="mb-1 flex min-h-9 items-center justify-between gap-3">
        <p className="text-12 text-quiet">
          {chosen.length === 0
            ? t('boards.allTechnicians')
            : t('boards.technicianCount', { count: chosen.length })}
        </p>
        {chosen.length > 0 && (
          <Button onClick={() => change({ technicians: [] })}>{t('boards.everybody')}</Button>
        )}
      </div>
      {list === undefined ? (
        <p role="status" className="text-13 text-quiet">
          {error === null ? t('decision.loadingTechnicians') : errorMessage(error, t)}
        </p>
      ) : (
        <div className="grid max-h-44 grid-cols-2 gap-x-4 overflow-y-auto rounded-md border border-line px-3 py-1">
          {all.length === 0 && <p className="text-13 text-quiet">{t('boards.noTechnicians')}</p>}
          {all.map(({ id, text }) => (
            <Check
              key={id}
              text={text}
              checked={chosen.includes(id)}
              toggle={() =>
                change({
                  technicians: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id],
                })
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

function Check({
  text,
  checked,
  disabled = false,
  toggle,
}: {
  text: string;
  checked: boolean;
  disabled?: boolean;
  toggle: () => void;
}) {
  return (
    <label className="flex min-h-7 items-center gap-2 text-13 max-md:min-h-11 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={toggle}
        className="size-4 shrink-0 accent-accent"
      />
      {text}
    </label>
  );
}
