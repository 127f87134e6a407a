// The checksum of a board's state in eight hex digits: the CRC-32 of its cards as JSON, sorted by key, and of the
// technicians who are on a card or clocked in, by id, each followed by a line end. The server computes the same
// (server/src/boards/display/checksum.rs). It is plain code because a TV uses HTTP, where browsers have no crypto.subtle.
import type { Card, Technician } from './board-state.ts';

const table = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

export function checksum(cards: Iterable<Card>, technicians: Iterable<Technician>): string {
  const sorted = [...cards].sort((a, b) => (a.key < b.key ? -1 : 1));
  const onCards = new Set(sorted.flatMap((card) => ('technicianIds' in card ? card.technicianIds : [])));
  const shown = [...technicians].filter(({ id, running }) => running !== null || onCards.has(id));
  shown.sort((a, b) => a.id - b.id);
  const text = [...sorted, ...shown].map((line) => `${JSON.stringify(line)}\n`).join('');
  let crc = -1;
  for (const byte of new TextEncoder().encode(text)) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 255] ?? 0);
  return ((crc ^ -1) >>> 0).toString(16).padStart(8, '0');
}
