import { expect, test } from 'vitest';
import type { FieldChange, HistoryEntry } from '../api/repair-orders.ts';
import { displayedHistory } from './displayed-history.ts';

function entry(seq: number, ...changes: FieldChange[]): HistoryEntry {
  return {
    seq,
    version: seq,
    action: 'STATUS_CHANGED',
    by: { uid: 'd', name: 'Dana' },
    channel: 'desk',
    at: '2026-03-02T14:00:00Z',
    changes,
    request: String(seq),
    undoable: false,
  };
}
const change = (field: string, from: string | null, to: string | null): FieldChange => ({ field, from, to });
const values = (entries: HistoryEntry[]) =>
  entries.map(({ changes }) => changes.map(({ from, to }) => `${from} → ${to}`).join('; '));

test('before the desk set a status, and after that was undone, the dealer system’s was displayed', () => {
  const entries = [
    entry(4, change('status', 'Used', null)),
    entry(3, change('customerStatus', 'Waiting', 'PDI')),
    entry(2, change('status', null, 'Used')),
  ];
  expect(values(displayedHistory(entries, { customerStatus: 'PDI', technicians: [] }))).toEqual([
    'Used → PDI',
    'Waiting → PDI',
    'Waiting → Used',
  ]);
});

test('a change of technicians says who was on the order before and afterwards', () => {
  const entries = [
    entry(5, change('technician', 'Bo', null)),
    entry(4, change('technician', null, 'Joe')),
    entry(3, change('technician', null, 'Bo')),
  ];
  expect(values(displayedHistory(entries, { customerStatus: 'Drop', technicians: ['Joe'] }))).toEqual([
    'Joe, Bo → Joe',
    'Bo → Bo, Joe',
    ' → Bo',
  ]);
});

test('without the technicians of today nothing is claimed about those of the past', () => {
  const entries = [entry(3, change('technician', null, 'Bo'))];
  expect(values(displayedHistory(entries, { customerStatus: 'Drop', technicians: null }))).toEqual([
    'null → Bo',
  ]);
});
