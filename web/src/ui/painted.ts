import { useEffect, useState } from 'react';

/** True once what `isRendered` stands for has been painted: what is loaded then delays none of it. */
export function usePainted(isRendered: boolean): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => {
    if (!isRendered) return;
    let task: ReturnType<typeof setTimeout> | undefined;
    // A task after the next frame; a page in the background has no frames, and nobody waits there.
    const frame = requestAnimationFrame(() => {
      task = setTimeout(() => setIsPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(task);
    };
  }, [isRendered]);
  return isPainted;
}
