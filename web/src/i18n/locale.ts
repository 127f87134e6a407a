// The locale in which times and numbers are formatted: the language of the page with the reader's region. An American
// reads '4:20 PM' in English and '4:20 p. m.' in Spanish, a Briton '16:20'.

/** Of the browser's languages the first in the page's language, or else the first that names a region. */
export function formattingLocale(
  language: string,
  preferred: readonly string[] = navigator.languages,
): string {
  const locales = preferred.flatMap((tag) => parsed(tag) ?? []);
  const sameLanguage = locales.find((locale) => locale.language === language && locale.region !== undefined);
  const region = (sameLanguage ?? locales.find((locale) => locale.region !== undefined))?.region;
  return region === undefined ? language : `${language}-${region}`;
}

function parsed(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag);
  } catch {
    // Some browsers list what is no language tag, such as 'C'.
    return null;
  }
}
