// A board's name, its layout, and how it shows it. Only what was changed here is sent.
import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { type Board, type BoardFields, type BoardSettings, changeBoard } from '../api/boards.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { technicians } from '../repair-order/technician-choice.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Field, inputLook, Select } from '../users/field.tsx';
import { useDeed } from './boards.ts';
import { LayoutField, NameField } from './fields.tsx';
import { layoutLook } from './layouts.ts';

type Settings = Omit<BoardSettings, 'columns' | 'pageSeconds'> & {
  /** As they are typed. */
  columns: string;
  pageSeconds: string;
};

export function SettingsDialog({ board, close }: { board: Board; close: () => void }) {
  const { t } = useTranslation();
  const { carryOut, busy } = useDeed();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  // As the board was when this was opened: nothing but the user touches a draft.
  const [base] = useState(board);
  const [name, typeName] = useState(base.name);
  const [layout, choose] = useState(base.layout);
  const [settings, set] = useState<Settings>(() => draftOf(base.settings));
  const change = (part: Partial<Settings>) => set((now) => ({ ...now, ...part }));
  const fields = changed(base, { name: name.trim(), layout, settings });
  const isReady = fields !== null && Object.keys(fields).length > 0;

  const submit = async () => {
    if (fields === null || !isReady) return;
    const done = await carryOut({
      work: () => changeBoard(base.boardId, fields),
      done: t('boards.saved', { name: name.trim() }),
      failed: t('boards.failed.save', { name: base.name }),
    });
    if (done !== null) close();
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
          <Button type="submit" form={form} look="primary" disabled={!isReady || busy}>
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
        <NameField name={name} type={typeName} field={field} />
        <LayoutField layout={layout} choose={choose} />
        <Categories layout={layout} settings={settings} change={change} />
        {(layout === 'shop-floor' || settings.technicians.length > 0) && (
          <Technicians settings={settings} change={change} />
        )}
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
          <Field label={t('boards.columns')}>
            <input
              type="number"
              inputMode="numeric"
              min={1}
              max={12}
              value={settings.columns}
              placeholder={t('boards.asManyAsFit')}
              onChange={({ target }) => change({ columns: target.value })}
              className={inputLook}
            />
          </Field>
          <Field label={t('boards.pageSeconds')}>
            <input
              type="number"
              inputMode="numeric"
              min={5}
              max={120}
              value={settings.pageSeconds}
              onChange={({ target }) => change({ pageSeconds: target.value })}
              className={inputLook}
            />
          </Field>
          <Field label={t('boards.dimFrom')}>
            <input
              type="time"
              value={settings.dimFrom ?? ''}
              onChange={({ target }) => change({ dimFrom: target.value === '' ? null : target.value })}
              className={inputLook}
            />
          </Field>
          <Field label={t('boards.dimUntil')}>
            <input
              type="time"
              value={settings.dimUntil ?? ''}
              onChange={({ target }) => change({ dimUntil: target.value === '' ? null : target.value })}
              className={inputLook}
            />
          </Field>
        </div>
        <p className="text-12 text-quiet">{t('boards.dimHint')}</p>
      </form>
    </Sheet>
  );
}

const textSizes = ['normal', 'large', 'larger'] as const;

interface PartProps {
  settings: Settings;
  change(part: Partial<Settings>): void;
}

/** None is chosen: all of them. */
function Categories({ layout, settings, change }: PartProps & { layout: Board['layout'] }) {
  const { t } = useTranslation();
  const can = layoutLook[layout].categories;
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
            // The last one stays: a board of nothing is no board.
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
  const { data: list = [] } = useQuery(technicians);
  const chosen = settings.technicians;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-13 font-medium">{t('boards.technicians')}</legend>
      <p className="mb-1 text-12 text-quiet">
        {chosen.length === 0
          ? t('boards.allTechnicians')
          : t('boards.technicianCount', { count: chosen.length })}
      </p>
      <div className="grid max-h-44 grid-cols-2 gap-x-4 overflow-y-auto rounded-md border border-line px-3 py-1">
        {list.map(({ idTechnician, displayName }) => (
          <Check
            key={idTechnician}
            text={displayName}
            checked={chosen.includes(idTechnician)}
            toggle={() =>
              change({
                technicians: chosen.includes(idTechnician)
                  ? chosen.filter((one) => one !== idTechnician)
                  : [...chosen, idTechnician],
              })
            }
          />
        ))}
      </div>
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

function draftOf(settings: BoardSettings): Settings {
  const { columns, pageSeconds, ...rest } = settings;
  return { ...rest, columns: columns === null ? '' : String(columns), pageSeconds: String(pageSeconds) };
}

interface Draft {
  name: string;
  layout: Board['layout'];
  settings: Settings;
}

/** What differs from the board as it was; null where something cannot be so. */
function changed(base: Board, { name, layout, settings }: Draft): BoardFields | null {
  const columns = settings.columns.trim() === '' ? null : Number(settings.columns);
  const pageSeconds = Number(settings.pageSeconds);
  const isWhole = (n: number, least: number, most: number) => Number.isInteger(n) && n >= least && n <= most;
  if (name === '' || (columns !== null && !isWhole(columns, 1, 12)) || !isWhole(pageSeconds, 5, 120))
    return null;
  const wanted: BoardSettings = { ...settings, columns, pageSeconds };
  const parts = Object.entries(wanted).filter(
    ([key, value]) =>
      JSON.stringify(value) !== JSON.stringify(Object.entries(base.settings).find(([k]) => k === key)?.[1]),
  );
  return {
    ...(name !== base.name && { name }),
    ...(layout !== base.layout && { layout }),
    ...(parts.length > 0 && { settings: Object.fromEntries(parts) }),
  };
}
