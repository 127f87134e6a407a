import { type RefObject, useEffect, useState } from 'react';

/** A shade over the scroller's right edge while its content goes on beyond it. */
export function MoreToTheRight({ scroller }: { scroller: RefObject<HTMLDivElement | null> }) {
  return useMoreToTheRight(scroller) ? (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-y-px right-px z-30 w-8 rounded-r-lg bg-linear-to-l from-raised to-transparent"
    />
  ) : null;
}

function useMoreToTheRight(scroller: RefObject<HTMLDivElement | null>): boolean {
  const [more, setMore] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // px; measured only when sizes change: measuring on scroll would force a layout.
    let beyond = 0;
    const update = () => setMore(beyond > 1 && beyond - element.scrollLeft > 1);
    const measure = () => {
      beyond = element.scrollWidth - element.clientWidth;
      update();
    };
    measure();
    // The scroller changes with the window, the table within it with its columns.
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller]);
  return more;
}
