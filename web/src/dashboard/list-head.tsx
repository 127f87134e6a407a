// What stands above the list: the figures, the search, the filters and the tools. On a phone the figures and the filters
// share a line that scrolls; where the window is low, too, the search stands beside them.
import type { ReactNode } from 'react';
import { RecentChangesTray } from './recent-changes-tray.tsx';

interface ListHeadProps {
  narrow: boolean;
  /** There is more in the line of the tools than it has room for on a small desk: all of it moves together. */
  crowded: boolean;
  figures: ReactNode;
  dueFilter: ReactNode;
  search: ReactNode;
  tools: ReactNode;
}

export function ListHead({ narrow, crowded, figures, dueFilter, search, tools }: ListHeadProps) {
  return (
    <div className="flex shrink-0 flex-col gap-3 max-md:gap-2 short:flex-row">
      {narrow ? (
        // The buttons in it are what the keyboard scrolls it by.
        <div className="relative -mx-3 flex min-w-0 flex-1 gap-1.5 overflow-x-auto px-3 py-0.5 [scrollbar-width:none] short:mr-0 short:pr-0">
          {dueFilter}
          {figures}
        </div>
      ) : (
        figures
      )}
      {/* Where the list has no room for all of it beside each other, the tools go to a line of their own. */}
      <div className="flex min-w-0 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 max-md:flex-nowrap max-md:gap-1 short:basis-3/5">
        {search}
        {!narrow && dueFilter}
        <div
          className={`ml-auto flex shrink-0 items-center gap-3 max-md:gap-0 ${crowded ? 'md:max-xl:gap-1' : ''}`}
        >
          <RecentChangesTray />
          {tools}
        </div>
      </div>
    </div>
  );
}
