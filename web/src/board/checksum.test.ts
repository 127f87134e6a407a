import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checksum } from './checksum.ts';
import type { Card } from './picture.ts';

interface Vector {
  what: string;
  cards: Card[];
  checksum: string;
}

// The server's test reads the same file.
const file = join(import.meta.dirname, '../../../server/src/boards/checksums.json');
const vectors: Vector[] = JSON.parse(readFileSync(file, 'utf8'));

test.each(vectors)('the checksum of $what is the server’s', ({ cards, checksum: expected }) => {
  expect(checksum(cards)).toBe(expected);
});

test('it does not depend on the order in which cards came', () => {
  for (const { cards, checksum: expected } of vectors) expect(checksum([...cards].reverse())).toBe(expected);
});
