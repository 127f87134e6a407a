// The fields of a board's settings: what it shows, and how.
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Board } from '../api/boards.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { languages } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { technicians } from '../repair-order/technicians.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, numberProps, Select } from '../ui/form-field.tsx';
import { layoutRules } from './layouts.ts';
import {
  COLUMN_RANGE,
  isComplete,
  isValidColumnCount,
  PAGE_SECONDS_RANGE,
  type Settings,
} from './settings-draft.ts';

interface PartProps {
  settings: Settings;
  change(part: Partial<Settings>): void;
}

/** None is chosen: all of them. */
export function Categories({ layout, settings, change }: PartProps & { layout: Board['layout'] }) {
  const { t } = useTranslation();
  const can = layoutRules[layout].categories;
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

export function Technicians({ settings, change }: PartProps) {
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

export function DisplayFields({ settings, change }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
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
            onChange={({ target }) =>
              change({ textSize: textSizes.find((one) => one === target.value) ?? settings.textSize })
            }
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
        <LanguageField settings={settings} change={change} />
        <span aria-hidden />
        <TimeField
          label={t('boards.dimFrom')}
          time={settings.dimFrom}
          choose={(dimFrom) => change({ dimFrom })}
        />
        <TimeField
          label={t('boards.dimUntil')}
          time={settings.dimUntil}
          choose={(dimUntil) => change({ dimUntil })}
        />
      </div>
      <p className="text-12 text-quiet">{t('boards.dimHint')}</p>
    </>
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
        <Input
          type="number"
          inputMode="numeric"
          min={least}
          max={most}
          {...numberProps(value, type)}
          placeholder={placeholder}
          aria-invalid={!isGood}
          aria-describedby={isGood ? undefined : hint}
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

function LanguageField({ settings, change }: PartProps) {
  const { t } = useTranslation();
  return (
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
  );
}

interface TimeFieldProps {
  label: string;
  time: string | null | undefined;
  choose(time: string | null): void;
}

function TimeField({ label, time, choose }: TimeFieldProps) {
  return (
    <Field label={label}>
      <Input
        type="time"
        value={time ?? ''}
        onChange={({ target }) => choose(target.value === '' ? null : target.value)}
      />
    </Field>
  );
}
