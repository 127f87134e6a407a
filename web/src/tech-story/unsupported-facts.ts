// Where in a story the things are that stand in none of what it was made from. Pure.
import type { UnsupportedFact } from '../api/tech-stories.ts';

export interface StoryPart {
  text: string;
  /** What is doubted, where it is. */
  fact: UnsupportedFact | null;
  /** UTF-16 units from the beginning. */
  at: number;
}

/** One of each text: what is right in one place is right in the next. */
export function distinctFacts(facts: readonly UnsupportedFact[]): UnsupportedFact[] {
  return [...new Map(facts.map((fact) => [fact.text, fact])).values()].toSorted((a, b) => a.start - b.start);
}

export function isRemoved(story: string, fact: UnsupportedFact): boolean {
  return placesOf(story, fact).length === 0;
}

/** The story cut where doubts begin and end. It may have been edited since the server found them. */
export function splitStory(story: string, facts: readonly UnsupportedFact[]): StoryPart[] {
  const found = facts
    .flatMap((fact) => placesOf(story, fact).map((start) => ({ doubt: fact, start })))
    // Of two in one place the longer says more.
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

/** Where the server saw it, and where else it stands by itself: '12' is not in '125'. */
function placesOf(story: string, { text, start }: UnsupportedFact): number[] {
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
