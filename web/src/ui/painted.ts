// What waits until the screen is painted, so that it delays nothing that is seen.
import { useEffect, useState } from 'react';

/** Calls in a task after the next frame; a page in the background has none until it is looked at. Returns what cancels it. */
export function afterPaint(call: () => void): () => void {
  let task: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    task = setTimeout(call);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(task);
  };
}

/** True once what `isRendered` stands for has been painted: what is loaded then delays none of it. */
export function usePainted(isRendered: boolean): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => (isRendered ? afterPaint(() => setIsPainted(true)) : undefined), [isRendered]);
  return isPainted;
}

/** The value with which the page was painted last: what is drawn by it delays nothing that is drawn by the new one. */
export function usePaintedValue<T>(value: T): T {
  const [painted, setPainted] = useState(value);
  const isPainted = Object.is(painted, value);
  useEffect(() => (isPainted ? undefined : afterPaint(() => setPainted(value))), [isPainted, value]);
  return painted;
}
