// The toolbar above the list: search, view options, export and print.
import { type Atom, useSelector } from '@tanstack/react-store';
import { Download, EllipsisVertical, Printer, Rows3, Rows4, Search, X } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { memo, type RefObject } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { useOpener } from '../ui/opener.ts';
import { part } from '../ui/part.ts';
import { useScreenTool } from '../ui/screen-tools.ts';
import { Tip } from '../ui/tooltip.tsx';
import type { Layout } from './column-layout.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { type Density, densities, type Presentation } from './remembered-choices.ts';

const glyphs = { comfortable: Rows3, dense: Rows4 } as const;

interface SearchBoxProps {
  /** It has less room on a small desk. */
  crowded: boolean;
  typed: Atom<string>;
  type(text: string): void;
  clear(): void;
  /** Goes to the first order found. */
  goToFirst(): void;
  input: RefObject<HTMLInputElement | null>;
  /** How many orders are found here, and how many more on the tab All. */
  hits: SearchHits | null;
}

interface SearchHits {
  here: number;
  all: number;
  showAll(): void;
}

export function SearchBox({ crowded, type, clear, goToFirst, input, hits, ...props }: SearchBoxProps) {
  const { t } = useTranslation();
  const typed = useSelector(props.typed);
  useScreenTool({ id: 'clear-search', glyph: X, text: t('dashboard.clearSearch') }, clear, typed !== '');
  return (
    <search
      className={`relative flex h-9 outline-accent has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-1 min-w-0 md:min-w-48 flex-1 items-center rounded-md border border-line-strong bg-raised max-md:h-11 md:max-w-md pointer-coarse:h-11 ${crowded ? 'md:max-xl:min-w-32' : ''}`}
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-quiet"
      />
      <input
        ref={input}
        aria-keyshortcuts="/"
        type="text"
        inputMode="search"
        enterKeyHint="search"
        value={typed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'ArrowDown')) return;
          event.preventDefault();
          goToFirst();
        }}
        placeholder={t('dashboard.search')}
        aria-label={t('dashboard.searchLabel')}
        className="h-full min-w-0 flex-1 rounded-md bg-transparent pl-9 text-14 outline-none text-ellipsis placeholder:text-quiet"
      />
      {/* A live region has to be there before its text. */}
      <span role="status" className="shrink-0">
        {hits !== null && (
          <button
            type="button"
            title={t('dashboard.showInAll')}
            onClick={hits.showAll}
            className="h-8 rounded-md px-2 text-12 font-medium whitespace-nowrap text-accent hover:bg-accent-tint max-md:h-11 pointer-coarse:h-11"
          >
            {/* A phone has no room for both; the list says how many are here. */}
            <span className="max-md:sr-only">{t('dashboard.hitsHere', { count: hits.here })}</span>{' '}
            {t('dashboard.hitsInAll', { count: hits.all })}
          </button>
        )}
      </span>
      {typed !== '' && (
        <button
          type="button"
          aria-label={t('dashboard.clearSearch')}
          onClick={clear}
          className="-my-px grid h-9 w-9 shrink-0 place-items-center rounded-md text-quiet hover:text-ink max-md:size-11 pointer-coarse:size-11"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </search>
  );
}

interface ToolsProps {
  /** The choice of how dense the rows are gives way on a small desk; the palette has it. */
  crowded: boolean;
  layout: Layout;
  chooseLayout(layout: Layout): void;
  density: Density;
  chooseDensity(density: Density): void;
  presentation: Presentation;
  exportList(): void;
}

/** Does not render again when only the list is another one. */
export const Tools = memo(function Tools({
  crowded,
  layout,
  chooseLayout,
  density,
  chooseDensity,
  presentation,
  exportList,
}: ToolsProps) {
  const { t } = useTranslation();
  useScreenTool({ id: 'export', glyph: Download, text: t('table.export') }, exportList);
  return (
    <fieldset className="flex shrink-0 items-center gap-0.5">
      <legend className="sr-only">{t('table.tools')}</legend>
      {presentation === 'list' && (
        <>
          <ColumnsMenu layout={layout} choose={chooseLayout} />
          <DensityToggle density={density} choose={chooseDensity} crowded={crowded} />
        </>
      )}
      <Tip text={t('table.export')}>
        <IconButton label={t('table.export')} onClick={exportList} className="pointer-coarse:size-11">
          <Download aria-hidden className="size-[18px]" />
        </IconButton>
      </Tip>
      <Tip text={t('table.print')}>
        <IconButton
          label={t('table.print')}
          onClick={() => window.print()}
          className="pointer-coarse:size-11"
        >
          <Printer aria-hidden className="size-[18px]" />
        </IconButton>
      </Tip>
    </fieldset>
  );
});

const narrowToolsItems = part(async () => (await import('./narrow-tools-items.tsx')).NarrowToolsItems);

/** The phone's version: the useful tools behind one button. */
export function NarrowTools({ exportList }: { exportList: () => void }) {
  const { t } = useTranslation();
  const { trigger, opened, Shown } = useOpener(narrowToolsItems, 'menu');
  useScreenTool({ id: 'export', glyph: Download, text: t('table.export') }, exportList);
  return (
    <>
      <IconButton {...trigger} label={t('table.more')}>
        <EllipsisVertical aria-hidden className="size-5" />
      </IconButton>
      {Shown !== null && <Shown opened={opened} exportList={exportList} />}
    </>
  );
}

interface DensityProps {
  density: Density;
  choose(density: Density): void;
  crowded: boolean;
}

function DensityToggle({ density, choose, crowded }: DensityProps) {
  const { t } = useTranslation();
  const other = density === 'dense' ? 'comfortable' : 'dense';
  useScreenTool({ id: 'density', glyph: glyphs[other], text: t(`dashboard.${other}`) }, () => choose(other));
  return (
    <ToggleGroup.Root
      type="single"
      value={density}
      aria-label={t('dashboard.density')}
      onValueChange={(value) => {
        // An empty value means the chosen one was pressed again; one is always chosen.
        const chosen = densities.find((one) => one === value);
        if (chosen !== undefined) choose(chosen);
      }}
      className={`mx-1 flex rounded-md border border-line bg-raised p-0.5 ${crowded ? 'max-xl:hidden' : ''}`}
    >
      {densities.map((one) => {
        const Glyph = glyphs[one];
        return (
          <ToggleGroup.Item
            key={one}
            value={one}
            aria-label={t(`dashboard.${one}`)}
            title={t(`dashboard.${one}`)}
            className="grid size-7.5 pointer-coarse:size-11 place-items-center rounded-sm text-quiet hover:text-ink aria-checked:bg-sunken aria-checked:text-ink"
          >
            <Glyph aria-hidden className="size-4" />
          </ToggleGroup.Item>
        );
      })}
    </ToggleGroup.Root>
  );
}
