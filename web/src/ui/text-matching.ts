// Matches typed text with the beginnings of words, ignoring case and accents.

export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The typed words, folded. */
export function typedWords(typed: string): string[] {
  return foldText(typed).split(/\s+/).filter(Boolean);
}

/** Whether every typed word is the beginning of some word of the text. */
export function matchesWordStarts(text: string, typed: readonly string[]): boolean {
  const textWords = foldText(text).split(/[\s,()/-]+/);
  return typed.every((start) => textWords.some((word) => word.startsWith(start)));
}
