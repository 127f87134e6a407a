// How a customer's name is written, which dealer systems send in upper case: for the desk and the boards.

/** Words of company names that stay in upper case. */
const UPPERCASE_WORDS = new Set(['LLC', 'LLP', 'LTD', 'PLC', 'USA', 'GMBH', 'II', 'III', 'IV']);

const UNTIDY = /^\s|\s$|\s\s|[^\S ]|,\S/;

/** 'O'BRIEN-SMITH,MARY A' becomes 'O'Brien-Smith, Mary A'. A name somebody took care to write is left as it is. */
export function toNameCase(name: string): string {
  // Most names are tidy, and a page opens with thousands.
  const tidy = UNTIDY.test(name)
    ? name
        .trim()
        .replace(/\s+/g, ' ')
        .replace(/,(?=\S)/g, ', ')
    : name;
  const isUpperCase = tidy === tidy.toUpperCase();
  const isLowerCase = tidy === tidy.toLowerCase();
  if (!isUpperCase && !isLowerCase) return tidy;
  return tidy.replace(/[\p{L}\p{M}]+/gu, (word, at: number) => {
    if (UPPERCASE_WORDS.has(word.toUpperCase())) return word.toUpperCase();
    // The s of a possessive stays small.
    const possessive =
      word.length === 1 && /['’]/.test(tidy[at - 1] ?? '') && !/\p{L}/u.test(tidy[at + 1] ?? '');
    return possessive ? word.toLowerCase() : capitalised(word);
  });
}

function capitalised(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}
