// How what is typed finds a text: without case and accents, which nobody types in a hurry, by the beginnings of words.

export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words of what is typed, folded. */
export function typedWords(typed: string): string[] {
  return foldText(typed).split(/\s+/).filter(Boolean);
}

/** Every typed word is the beginning of some word of the text. */
export function matchesWordStarts(text: string, typed: readonly string[]): boolean {
  const textWords = foldText(text).split(/[\s,()/-]+/);
  return typed.every((start) => textWords.some((word) => word.startsWith(start)));
}
