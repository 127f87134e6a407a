// Whether the desk's table has all of its rows in sight drawn: only some rows are, and space stands for the others.

declare global {
  /** Whether no space in sight stands for rows that come in the next frames. There after `installFilledTable`. */
  var isTableFilled: (table: Element) => boolean;
}

/** Runs in the page, also before the page's own scripts. Must not use anything from outside itself. */
export function installFilledTable(): void {
  globalThis.isTableFilled = (table) => {
    const scroller = table.closest('.overflow-auto') ?? table;
    const { top, bottom } = scroller.getBoundingClientRect();
    // The head's cells stay at the top; the head itself, and what it says of where it is, scrolls away.
    const headHeight = table.querySelector('thead')?.getBoundingClientRect().height ?? 0;
    const headEnd = top + scroller.clientTop + headHeight;
    return [...table.querySelectorAll('tbody tr[aria-hidden]')].every((space) => {
      const box = space.getBoundingClientRect();
      // The space below the last row stands for none.
      const isFoot = space.previousElementSibling?.ariaRowIndex === table.ariaRowCount;
      return isFoot || box.bottom <= headEnd + 1 || box.top >= bottom - 1;
    });
  };
}
