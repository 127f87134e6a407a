import { LayoutList, type LucideIcon, UserX } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { memo } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { displayedStatuses, statusAppearance } from '../repair-order/statuses.ts';
import { Tip } from '../ui/tooltip.tsx';
import { type Tab, type TabCounts, tabOf, tabs } from './categories.ts';

const glyphsOfStatuses = displayedStatuses.map((status) => [tabOf[status], statusAppearance[status].glyph]);
export const tabGlyphs: Record<Tab, LucideIcon> = {
  all: LayoutList,
  ...Object.fromEntries(glyphsOfStatuses),
  unassigned: UserX,
};

/** The id of the panel that the tabs are of. */
export const PANEL = 'desk-panel';

export function tabId(tab: Tab): string {
  return `desk-tab-${tab}`;
}

interface CategoryTabsProps {
  counts: TabCounts;
  narrow: boolean;
}

/** The categories: down the left side, or along the bottom of a phone. Lives inside <Tabs.Root>. */
export const CategoryTabs = memo(function CategoryTabs({ counts, narrow }: CategoryTabsProps) {
  const { t } = useTranslation();
  return (
    <Tabs.List
      aria-label={t('tab.rail')}
      className="flex shrink-0 border-line bg-raised md:w-18 md:flex-col md:gap-0.5 md:border-r md:px-0.5 md:py-1.5 max-md:order-last max-md:border-t max-md:px-1 max-md:pb-[env(safe-area-inset-bottom)]"
    >
      {tabs.map((tab) => {
        const Glyph = tabGlyphs[tab];
        const orders = t('tab.orders', { count: counts[tab] });
        return (
          <Tip key={tab} text={t(`tab.name.${tab}`)} detail={orders} side={narrow ? 'top' : 'right'}>
            <Tabs.Trigger
              value={tab}
              id={tabId(tab)}
              aria-controls={PANEL}
              className="group -outline-offset-2 flex h-15 flex-col items-center justify-center gap-1 rounded-lg text-12 font-medium tracking-[-0.03em] text-quiet hover:bg-sunken hover:text-ink aria-selected:bg-accent-tint aria-selected:text-accent max-md:h-14 max-md:min-w-0 max-md:flex-auto md:w-full md:shrink-0"
            >
              <span className="flex items-center gap-1">
                <Glyph aria-hidden className="size-5 shrink-0" strokeWidth={1.75} />
                {counts[tab] > 0 && (
                  <span className="rounded-full bg-sunken px-1.5 max-md:px-1 leading-[1.125rem] text-ink group-aria-selected:bg-accent group-aria-selected:text-on-accent">
                    {counts[tab]}
                  </span>
                )}
              </span>
              <span className="max-w-full truncate">{t(`tab.label.${tab}`)}</span>
            </Tabs.Trigger>
          </Tip>
        );
      })}
    </Tabs.List>
  );
});
