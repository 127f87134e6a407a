// Names are written from left to right or from right to left, whatever the language around them is.

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';
/** A letter of a script that is written from right to left: Hebrew, Arabic and those between and beside them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A value for the middle of a sentence: the words and numbers around one from right to left keep their places. */
export function isolate(value: string): string {
  return RIGHT_TO_LEFT.test(value) ? `${FIRST_STRONG_ISOLATE}${value}${POP_DIRECTIONAL_ISOLATE}` : value;
}
