// A story for reading: section names stand out, and unsupported facts are marked. The text is unchanged, so that a
// copy is what was written.
import type { UnsupportedFact } from '../api/tech-stories.ts';
import { splitStory } from './unsupported-facts.ts';

interface StoryProseProps {
  text: string;
  facts?: readonly UnsupportedFact[];
  /** The texts of the facts that the user has confirmed. */
  confirmed?: ReadonlySet<string>;
}

const NO_FACTS: readonly UnsupportedFact[] = [];
const NO_TEXTS: ReadonlySet<string> = new Set();

export function StoryProse({ text, facts = NO_FACTS, confirmed = NO_TEXTS }: StoryProseProps) {
  return splitStory(text, facts).map((piece) =>
    piece.fact === null ? (
      sectioned(piece.text, piece.at === 0)
    ) : (
      <mark
        key={piece.at}
        className={`rounded-sm px-0.5 font-medium ${confirmed.has(piece.fact.text) ? 'bg-used-tint text-used' : 'bg-stale-tint text-stale underline decoration-dotted underline-offset-3'}`}
      >
        {piece.text}
      </mark>
    ),
  );
}

/** A short line without a full stop (a colon may be), with a blank one above and text right below it. */
const SECTION = /(?<=^|\n[ \t]*\n)[^\n]{1,40}(?<![.,;!?\s])(?=[ \t]*\n[^\n])/g;

/** `isBegun`: it begins with a line. */
function sectioned(text: string, isBegun: boolean) {
  const parts = [];
  let end = 0;
  for (const { 0: name, index } of text.matchAll(SECTION)) {
    if (index === 0 && !isBegun) continue;
    parts.push(text.slice(end, index));
    parts.push(
      <strong key={index} className="font-semibold">
        {name}
      </strong>,
    );
    end = index + name.length;
  }
  parts.push(text.slice(end));
  return parts;
}
