// Parses commands about orders: numbers, a verb and an argument in any order, for instance '4389 assign joe'. The verb may
// be abbreviated, or left out where the argument tells it: 'joe 4389', '4389 high'. Pure, and without the orders.
import { foldText, typedWords } from '../ui/text-matching.ts';
import { type PartialCommand, type Verb, type Vocabulary, verbs } from './commands.ts';

export interface ParsedInput {
  /** As they were typed, without '#'. */
  numbers: readonly [string, ...string[]];
  /** Every verb that can be among the other words, and the rest of these. All verbs when there are no other words. */
  verbs: readonly { verb: Verb; argument: string }[];
  /** The other words, where they may be an argument without a verb. */
  value: string;
  /** Nothing but numbers was typed. */
  numberOnly: boolean;
}

/** Null: the input is no command about an order. `isNumber`: whether an order has this word as its number. */
export function parseInput(
  text: string,
  vocabulary: Vocabulary,
  isNumber: (word: string) => boolean = () => false,
): ParsedInput | null {
  const typed = text.split(/\s+/).filter(Boolean);
  const numbers: string[] = [];
  const words: string[] = [];
  for (const word of typed) {
    const bare = word.replace(/^#/, '');
    if (/^\d[\w-]*$/.test(bare) || (/\d/.test(bare) && isNumber(bare))) numbers.push(bare);
    else words.push(word);
  }
  const [first, ...others] = new Set(numbers);
  if (first === undefined) return null;
  const all = { numbers: [first, ...others] as const };
  const telling = words.filter((word) => !isFiller(word, vocabulary) || beginsVerb(word, vocabulary));
  if (telling.length === 0) {
    return { ...all, verbs: verbs.map((verb) => ({ verb, argument: '' })), value: '', numberOnly: true };
  }
  const matches = verbs
    .map((verb) => matchVerb(verb, telling, vocabulary))
    .filter((one) => one !== null)
    .map((one) => ({ ...one, argument: withoutFillers(one.argument, vocabulary) }))
    .filter(({ verb, argument }) => argument === '' || takesArgument(verb));
  const whole = matches.filter(({ exact }) => exact);
  return {
    ...all,
    verbs: whole.length > 0 ? whole : matches,
    // A single letter abbreviates a verb, but names nobody and nothing.
    value: whole.length > 0 || telling.some((word) => word.length < 2) ? '' : telling.join(' '),
    numberOnly: false,
  };
}

function isFiller(word: string, { fillers }: Vocabulary): boolean {
  return fillers.includes(foldText(word));
}

/** A short word may be both: in Spanish 'a' is 'to', and how 'asignar' begins. */
function beginsVerb(word: string, { verbs: phrases }: Vocabulary): boolean {
  const start = foldText(word);
  return verbs.some((verb) => phrases[verb].some((phrase) => foldText(phrase).startsWith(start)));
}

function withoutFillers(argument: string, vocabulary: Vocabulary): string {
  return argument
    .split(' ')
    .filter((word) => !isFiller(word, vocabulary))
    .join(' ');
}

interface VerbMatch {
  verb: Verb;
  argument: string;
  exact: boolean;
}

/** Where the words contain the verb: whole if possible, else abbreviated, the longest and first such place. */
function matchVerb(verb: Verb, words: readonly string[], vocabulary: Vocabulary): VerbMatch | null {
  let best: VerbMatch | null = null;
  let bestScore = 0;
  for (const phrase of vocabulary.verbs[verb].map(typedWords)) {
    for (const [start, length] of windows(words.length, phrase.length)) {
      const typed = words.slice(start, start + length).map(foldText);
      if (!typed.every((word, at) => phrase[at]?.startsWith(word))) continue;
      const exact = typed.join(' ') === phrase.join(' ');
      // A single letter is a verb at the beginning: behind one it is an argument, as in 'priority h'.
      if (!exact && start > 0 && typed.join('').length === 1) continue;
      const score = length + (exact ? words.length : 0);
      if (score <= bestScore) continue;
      const argument = [...words.slice(0, start), ...words.slice(start + length)].join(' ');
      best = { verb, argument, exact };
      bestScore = score;
    }
  }
  return best;
}

/** Every run of at most so many of the words: where it starts, and its length. */
function windows(words: number, most: number): [start: number, length: number][] {
  const starts = Array.from({ length: words }, (_, start) => start);
  return starts.flatMap((start) =>
    Array.from({ length: Math.min(most, words - start) }, (_, at): [number, number] => [start, at + 1]),
  );
}

export function takesArgument(verb: Verb): verb is PartialCommand['verb'] {
  return !['details', 'copy', 'story', 'hold', 'endHold'].includes(verb);
}
