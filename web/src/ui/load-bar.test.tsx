import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { LoadBar } from './load-bar.tsx';

function drawn(bar: ReactNode) {
  const { container } = render(bar);
  const width = container.querySelector<HTMLElement>('.bg-accent')?.style.width;
  const mark = container.querySelector<HTMLElement>('[data-load-mark]')?.style.left ?? null;
  return { width, mark };
}

test('a bar is the day, and is as full as the words beside it say', () => {
  expect(drawn(<LoadBar hours={4} capacity={10} />)).toEqual({ width: '40%', mark: null });
  expect(drawn(<LoadBar hours={0} capacity={0} />)).toEqual({ width: '0%', mark: null });
});

test('with more than the day holds a mark says where it ends', () => {
  expect(drawn(<LoadBar hours={12} added={4} capacity={8} />)).toEqual({ width: '50%', mark: '50%' });
});

test('with a scale of the screen the day always ends at its mark', () => {
  expect(drawn(<LoadBar hours={2} capacity={5} scale={20} />)).toEqual({ width: '10%', mark: '25%' });
});
