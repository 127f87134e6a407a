// The fields for a board's name and layout, for a new board and an existing one.
import { type RefObject, useId } from 'react';
import type { BoardLayout } from '../api/boards.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Field, Input } from '../ui/form-field.tsx';
import { layoutGlyph, layouts } from './layouts.ts';

export function NameField({
  name,
  type,
  field,
}: {
  name: string;
  type: (name: string) => void;
  field?: RefObject<HTMLInputElement | null>;
}) {
  const { t } = useTranslation();
  return (
    <Field label={t('boards.name')}>
      <Input
        ref={field}
        value={name}
        onChange={(event) => type(event.target.value)}
        placeholder={t('boards.nameExample')}
        maxLength={100}
        autoComplete="off"
      />
    </Field>
  );
}

export function LayoutField({
  layout,
  choose,
}: {
  layout: BoardLayout;
  choose: (layout: BoardLayout) => void;
}) {
  const { t } = useTranslation();
  const group = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-13 font-medium">{t('boards.layout')}</legend>
      <div className="flex flex-col gap-1.5">
        {layouts.map((one) => {
          const Glyph = layoutGlyph[one];
          return (
            <label
              key={one}
              className="flex min-h-13 cursor-pointer items-center gap-3 rounded-md border border-line px-3 py-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-tint"
            >
              <input
                type="radio"
                name={group}
                checked={layout === one}
                onChange={() => choose(one)}
                aria-describedby={`${group}${one}`}
                aria-label={t(`boards.layoutName.${one}`)}
                className="size-4 shrink-0 accent-accent"
              />
              <Glyph aria-hidden className="size-5 shrink-0 text-quiet" strokeWidth={1.75} />
              <span className="min-w-0">
                <span className="block text-14 font-medium">{t(`boards.layoutName.${one}`)}</span>
                <span id={`${group}${one}`} className="block text-12 text-quiet">
                  {t(`boards.layoutDetail.${one}`)}
                </span>
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
