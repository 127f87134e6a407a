// Matches typed text with the beginnings of words, ignoring case and accents.

/** Letters that are no letter with an accent, and the apostrophe of a phone's keyboard. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', '’': "'" };
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
const BEYOND_ASCII = /[^\0-\x7f]/;

export function foldText(text: string): string {
  // Most texts are plain, and thousands are folded at once.
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  // Upper case first: ß has none of its own and becomes SS.
  const letters = text.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter);
}

/** The typed words, folded. */
export function typedWords(typed: string): string[] {
  return foldText(typed).split(/\s+/).filter(Boolean);
}

const WORD_ENDS = /[\s,()/-]+/;

/** Whether every typed word is the beginning of some word of the text; 'al-sayed' is two words in both. */
export function matchesWordStarts(text: string, typed: readonly string[]): boolean {
  const textWords = foldText(text).split(WORD_ENDS);
  return typed
    .flatMap((word) => word.split(WORD_ENDS))
    .every((start) => textWords.some((word) => word.startsWith(start)));
}
