/** The look of this screen's menus. */
export const menuClasses =
  'fade z-40 max-h-[min(22rem,var(--radix-dropdown-menu-content-available-height))] min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop';

export const menuItem =
  'flex h-9 cursor-pointer items-center justify-between gap-4 rounded-md px-2.5 text-13 outline-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-sunken focus-visible:shadow-[inset_2px_0_0_var(--accent)] max-md:h-11 pointer-coarse:h-11';
