import { beforeEach, expect, test } from 'vitest';
import {
  clearSelection,
  keepSelected,
  selection,
  toggleAll,
  toggleRange,
  toggleSelected,
} from './selection.ts';

const onScreen = [50, 40, 30, 20, 10];
const selected = () => [...selection()].toSorted((a, b) => b - a);

beforeEach(clearSelection);

test('an order is ticked and unticked', () => {
  toggleSelected(30);
  toggleSelected(10);
  expect(selected()).toEqual([30, 10]);
  toggleSelected(30);
  expect(selected()).toEqual([10]);
});

test('a range starts at the order ticked last, in either direction, in the sort order on screen', () => {
  toggleSelected(20);
  toggleRange(40, onScreen);
  expect(selected()).toEqual([40, 30, 20]);
  toggleRange(50, onScreen);
  expect(selected()).toEqual([50, 40, 30, 20]);
});

test('a range from a ticked one to a ticked one unticks what is between', () => {
  toggleAll(onScreen);
  toggleSelected(40);
  toggleRange(20, onScreen);
  expect(selected()).toEqual([50, 10]);
});

test('a range whose start is off screen is one order', () => {
  toggleRange(30, onScreen);
  expect(selected()).toEqual([30]);
  toggleRange(10, [40, 10]);
  expect(selected()).toEqual([30, 10]);
});

test('all are ticked, and unticked when all are ticked', () => {
  toggleSelected(30);
  toggleAll(onScreen);
  expect(selected()).toEqual(onScreen);
  toggleAll(onScreen);
  expect(selected()).toEqual([]);
});

test('an order that is no longer listed is unticked', () => {
  toggleAll(onScreen);
  keepSelected((key) => key > 25);
  expect(selected()).toEqual([50, 40, 30]);
});
