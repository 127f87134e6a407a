import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Card, Technician } from './board-state.ts';
import { checksum } from './checksum.ts';

interface Vector {
  what: string;
  cards: Card[];
  technicians?: Technician[];
  checksum: string;
}

// The server's test reads the same file.
const file = join(import.meta.dirname, '../../../server/src/boards/display/checksums.json');
const vectors: Vector[] = JSON.parse(readFileSync(file, 'utf8'));

test.each(vectors)('the checksum of $what is the server’s', ({ cards, technicians, checksum: expected }) => {
  expect(checksum(cards, technicians ?? [])).toBe(expected);
});

test('it does not depend on the order in which cards and technicians came', () => {
  for (const { cards, technicians = [], checksum: expected } of vectors)
    expect(checksum([...cards].reverse(), [...technicians].reverse())).toBe(expected);
});
