import { Rows3, Rows4, Search, X } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { type Density, densities } from './view.ts';

const glyphs = { comfortable: Rows3, dense: Rows4 } as const;

export function SearchBox({ typed, type }: { typed: string; type: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <search className="relative min-w-0 flex-1 md:max-w-md">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-quiet"
      />
      <input
        type="text"
        inputMode="search"
        enterKeyHint="search"
        value={typed}
        onChange={(event) => type(event.target.value)}
        placeholder={t('dashboard.search')}
        aria-label={t('dashboard.searchLabel')}
        className="h-9 w-full rounded-md border border-line-strong bg-raised pr-9 pl-9 text-14 placeholder:text-quiet max-md:h-11"
      />
      {typed !== '' && (
        <button
          type="button"
          aria-label={t('dashboard.clearSearch')}
          onClick={() => type('')}
          className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-md text-quiet hover:text-ink max-md:w-11"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </search>
  );
}

export function DensityToggle({ density, choose }: { density: Density; choose: (density: Density) => void }) {
  const { t } = useTranslation();
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
      className="flex rounded-md border border-line bg-raised p-0.5"
    >
      {densities.map((one) => {
        const Glyph = glyphs[one];
        return (
          <ToggleGroup.Item
            key={one}
            value={one}
            aria-label={t(`dashboard.${one}`)}
            title={t(`dashboard.${one}`)}
            className="grid size-7.5 place-items-center rounded-sm text-quiet hover:text-ink aria-checked:bg-sunken aria-checked:text-ink"
          >
            <Glyph aria-hidden className="size-4" />
          </ToggleGroup.Item>
        );
      })}
    </ToggleGroup.Root>
  );
}
