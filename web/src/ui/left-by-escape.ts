/** Marks what Escape leaves inside something that it closes, too: a form in a sheet. */
export const LEFT_BY_ESCAPE = 'data-left-by-escape';

export function isLeftByEscape(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`[${LEFT_BY_ESCAPE}], [role="menu"]`) !== null;
}
