// Finds the unsupported facts in a story: statements that none of its inputs supports. Pure.
import type { UnsupportedFact } from '../api/tech-stories.ts';

export interface StoryPart {
  text: string;
  /** The unsupported fact, in a part that is one. */
  fact: UnsupportedFact | null;
  /** UTF-16 units from the beginning. */
  at: number;
}

/** Each text once: a fact confirmed in one place is confirmed everywhere. */
export function distinctFacts(facts: readonly UnsupportedFact[]): UnsupportedFact[] {
  return [...new Map(facts.map((fact) => [fact.text, fact])).values()].toSorted((a, b) => a.start - b.start);
}

export function isRemoved(story: string, fact: UnsupportedFact): boolean {
  return positionsOf(story, fact).length === 0;
}

/**
 * Splits the story where unsupported facts begin and end. It may have been edited since the server checked it.
 */
export function splitStory(story: string, facts: readonly UnsupportedFact[]): StoryPart[] {
  const found = facts
    .flatMap((fact) => positionsOf(story, fact).map((start) => ({ doubt: fact, start })))
    // Of two overlapping facts the longer one is marked.
    .toSorted((a, b) => a.start - b.start || b.doubt.text.length - a.doubt.text.length);
  const pieces: StoryPart[] = [];
  let end = 0;
  const plain = (until: number) => {
    if (until > end) pieces.push({ text: story.slice(end, until), fact: null, at: end });
  };
  for (const { doubt: fact, start } of found) {
    if (start < end) continue;
    plain(start);
    pieces.push({ text: fact.text, fact, at: start });
    end = start + fact.text.length;
  }
  plain(story.length);
  return pieces;
}

/** Where the server found it, and wherever else it is a word by itself: '12' is not in '125'. */
function positionsOf(story: string, { text, start }: UnsupportedFact): number[] {
  const places: number[] = [];
  if (text === '') return places;
  for (let at = story.indexOf(text); at >= 0; at = story.indexOf(text, at + 1)) {
    const isCut = isInWord(story, at) || isInWord(story, at + text.length);
    if (at === start || !isCut) places.push(at);
  }
  return places;
}

const SIGN = /[\p{L}\p{N}]/u;

function isInWord(story: string, at: number): boolean {
  return SIGN.test(story[at - 1] ?? '') && SIGN.test(story[at] ?? '');
}
