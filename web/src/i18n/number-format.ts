// Numbers as a reader's locale writes them. To make a formatter costs more than to draw what shows its number, so each
// is made once.
const formatters = new Map<string, Intl.NumberFormat>();

/** `digits`: at most so many after the decimal point. */
export function numberFormat(locale: string, digits = 3): Intl.NumberFormat {
  const key = `${locale} ${digits}`;
  let found = formatters.get(key);
  if (found === undefined) {
    found = new Intl.NumberFormat(locale, { maximumFractionDigits: digits });
    formatters.set(key, found);
  }
  return found;
}
