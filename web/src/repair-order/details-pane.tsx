// The details beside the list: a region of the page, not a dialog. Like a sheet it scrolls as a whole, below its head.
import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect } from 'react';
import { IconButton } from '../ui/button.tsx';
import { useNewest } from '../ui/latest.ts';

interface DetailsPaneProps {
  pane: RefObject<HTMLElement | null>;
  title: string;
  closeLabel: string;
  tools: ReactNode;
  close(): void;
  /** Called when the pane goes and the focus is in it, or nowhere. */
  returnFocus(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  children: ReactNode;
}

export function DetailsPane(props: DetailsPaneProps) {
  const { pane, title, closeLabel, tools, close, returnFocus, onKeyDown, children } = props;
  const id = useId();
  const goBack = useNewest(returnFocus);
  useLayoutEffect(() => {
    const element = pane.current;
    return () => {
      const focused = document.activeElement;
      if (focused === document.body || element?.contains(focused)) goBack.current();
    };
  }, [pane, goBack]);
  return (
    <section
      ref={pane}
      aria-labelledby={id}
      tabIndex={-1}
      // Rows keep their place while one of them is worked on here.
      data-holds
      onKeyDown={onKeyDown}
      className="fade w-[clamp(24rem,28vw,32rem)] shrink-0 overflow-y-auto border-l border-line bg-raised -outline-offset-2!"
    >
      <div className="sticky top-0 z-10 flex items-center gap-3 border-b border-line bg-raised py-1.5 pr-2 pl-5">
        <h2 id={id} className="min-w-0 flex-1 text-16 font-semibold">
          {title}
        </h2>
        <div className="flex shrink-0 items-center">
          {tools}
          <IconButton label={closeLabel} onClick={close}>
            <X aria-hidden className="size-[18px]" />
          </IconButton>
        </div>
      </div>
      <div className="px-5 py-4">{children}</div>
    </section>
  );
}
