// What a stage is made of, in the form that adds one and in the one that changes it.
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { NewStage, StageColour, StageKind, WorkStage } from '../api/stages.ts';
import { type Language, languageOr, languages } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { stageAppearance } from '../repair-order/stages.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, numberProps, Select } from '../ui/form-field.tsx';
import { closeOnEscape } from '../ui/sheet.tsx';

const kinds = ['queue', 'active', 'hold', 'done'] as const satisfies readonly StageKind[];
const colours = Object.keys(stageAppearance) as StageColour[];
/** A year. */
const MAX_MINUTES = 525_600;
const MAX_LIMIT = 999;
const MAX_NAME = 100;

/** As they are typed and chosen. */
interface StageDraft {
  name: Record<Language, string>;
  kind: StageKind;
  colour: StageColour;
  minutes: string;
  /** How many cars at most; empty: as many as there are. */
  limit: string;
}

export const emptyTexts: StageDraft = {
  name: { en: '', de: '', es: '' },
  kind: 'active',
  colour: 'teal',
  minutes: '',
  limit: '',
};

export function textsOf({ name, kind, colour, tooLongMinutes, limit }: WorkStage): StageDraft {
  return {
    name: { ...name },
    kind,
    colour,
    minutes: String(tooLongMinutes ?? ''),
    limit: String(limit ?? ''),
  };
}

/** Null: a name is missing, or a number is none. A language without a name has that of the page's language. */
export function readStage(draft: StageDraft, language: Language): NewStage | null {
  const { name, kind, colour } = draft;
  const own = name[language].trim();
  const tooLongMinutes = readNumber(draft.minutes, MAX_MINUTES);
  const limit = readNumber(draft.limit, MAX_LIMIT);
  if (own === '' || tooLongMinutes === undefined || limit === undefined) return null;
  const named = (one: Language) => name[one].trim() || own;
  return {
    name: { en: named('en'), de: named('de'), es: named('es') },
    kind,
    colour,
    tooLongMinutes,
    limit,
  };
}

/** A whole number from 1 on; null: nothing is typed. Undefined: it is none. */
function readNumber(typed: string, most: number): number | null | undefined {
  if (typed.trim() === '') return null;
  const number = Number(typed);
  return Number.isInteger(number) && number >= 1 && number <= most ? number : undefined;
}

interface StageFormProps {
  name: string;
  hasTitle?: boolean;
  texts: StageDraft;
  verb: string;
  busy: boolean;
  cancel(): void;
  save(values: NewStage): Promise<void>;
}

export function StageForm({ name, hasTitle = false, texts, verb, busy, cancel, save }: StageFormProps) {
  const { t, language } = useTranslation();
  const own = languageOr(language);
  const [draft, change] = useState(texts);
  const values = readStage(draft, own);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (values !== null) void save(values);
  };
  return (
    <form
      noValidate
      aria-label={name}
      {...closeOnEscape(cancel)}
      onSubmit={submit}
      className="flex flex-col gap-3"
    >
      {hasTitle && <h4 className="text-14 font-semibold">{name}</h4>}
      <NameFields names={draft.name} own={own} type={(names) => change({ ...draft, name: names })} />
      <KindField kind={draft.kind} choose={(kind) => change({ ...draft, kind })} />
      <ColourField colour={draft.colour} choose={(colour) => change({ ...draft, colour })} />
      <div className="grid gap-2.5 sm:grid-cols-2">
        <NumberField
          label={t('stages.manage.tooLong')}
          hint={t('stages.manage.tooLongHint')}
          most={MAX_MINUTES}
          typed={draft.minutes}
          type={(minutes) => change({ ...draft, minutes })}
        />
        <NumberField
          label={t('stages.manage.limit')}
          hint={t('stages.manage.limitHint')}
          most={MAX_LIMIT}
          typed={draft.limit}
          type={(limit) => change({ ...draft, limit })}
        />
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={cancel}>{t('stages.manage.cancel')}</Button>
        <Button type="submit" variant="primary" disabled={values === null || busy}>
          {verb}
        </Button>
      </div>
    </form>
  );
}

interface NameFieldsProps {
  names: StageDraft['name'];
  own: Language;
  type(names: StageDraft['name']): void;
}

/** The page's language first. */
function NameFields({ names, own, type }: NameFieldsProps) {
  const { t } = useTranslation();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const all = Object.keys(languages) as Language[];
  return (
    <div className="grid gap-2.5 sm:grid-cols-3">
      {[own, ...all.filter((one) => one !== own)].map((one) => (
        <Field key={one} label={t(`stages.manage.name.${one}`)}>
          <Input
            ref={one === own ? first : undefined}
            lang={one}
            maxLength={MAX_NAME}
            value={names[one]}
            placeholder={one === own ? undefined : names[own]}
            onChange={(event) => type({ ...names, [one]: event.target.value })}
            autoComplete="off"
          />
        </Field>
      ))}
    </div>
  );
}

function KindField({ kind, choose }: { kind: StageKind; choose(kind: StageKind): void }) {
  const { t } = useTranslation();
  const hint = useId();
  return (
    <div className="flex flex-col gap-1">
      <Field label={t('stages.manage.kind')}>
        <Select
          aria-describedby={hint}
          value={kind}
          onChange={({ target }) => choose(kinds.find((one) => one === target.value) ?? kind)}
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t(`stages.kind.${one}`)}
            </option>
          ))}
        </Select>
      </Field>
      <p id={hint} className="text-12 text-quiet">
        {t(`stages.kindHint.${kind}`)}
      </p>
    </div>
  );
}

function ColourField({ colour, choose }: { colour: StageColour; choose(colour: StageColour): void }) {
  const { t } = useTranslation();
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-13 font-medium">{t('stages.manage.colour')}</legend>
      <div className="flex flex-wrap gap-1.5">
        {colours.map((one) => (
          <label
            key={one}
            className="relative inline-flex h-9 cursor-pointer items-center gap-2 rounded-md border border-line px-2.5 text-13 has-checked:border-accent has-checked:bg-accent-tint has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:h-11 pointer-coarse:h-11"
          >
            <input
              type="radio"
              name={name}
              checked={one === colour}
              onChange={() => choose(one)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span aria-hidden className={`size-3 rounded-full ${stageAppearance[one].fill}`} />
            {t(`stages.colour.${one}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface NumberFieldProps {
  label: string;
  hint: string;
  most: number;
  typed: string;
  type(text: string): void;
}

function NumberField({ label, hint: text, most, typed, type }: NumberFieldProps) {
  const hint = useId();
  return (
    <div className="flex flex-col gap-1">
      <Field label={label}>
        <Input
          type="number"
          inputMode="numeric"
          min={1}
          max={most}
          step={1}
          aria-describedby={hint}
          {...numberProps(typed, type)}
        />
      </Field>
      <p id={hint} className="text-12 text-quiet">
        {text}
      </p>
    </div>
  );
}
