// A small list of options at the control that it belongs to, from below on a phone: typing filters, arrows and Tab
// move, Enter picks, Escape leaves. It is mounted while it is open.
import { Popover } from 'radix-ui';
import { useEffect, useMemo, useRef } from 'react';
import { containerOf } from './landmark-container.ts';
import { useNewest } from './latest.ts';
import { useNarrow } from './media.ts';
import { PickerList, type PickerListProps, type PickerOption } from './picker-list.tsx';
import { isTouchPointer } from './pointer-type.ts';
import { Sheet } from './sheet.tsx';

export type { PickerOption };

interface PickerProps<O extends PickerOption> extends PickerListProps<O> {
  /** The control. */
  anchor: HTMLElement;
  closeLabel: string;
  /** Wider, for options of two lines. */
  wide?: boolean;
  /** The label is read by all, and not only heard. A sheet shows it always. */
  hasTitle?: boolean;
  close(): void;
}

export function Picker<O extends PickerOption>(props: PickerProps<O>) {
  const { label, closeLabel, close } = props;
  const list = useRef<HTMLDivElement>(null);
  if (!useNarrow()) return <PickerPopover {...props} />;
  return (
    <Sheet
      open
      close={close}
      title={label}
      closeLabel={closeLabel}
      initialFocus={() => focusTarget(list.current)}
    >
      <div ref={list} className="-mx-3">
        <PickerList {...props} />
      </div>
    </Sheet>
  );
}

/** px; between the control and the list. */
const GAP = 4;
/** px; with less than this below it the list opens upward. */
const SPARE = 40;

function PickerPopover<O extends PickerOption>(props: PickerProps<O>) {
  const { anchor, label, wide = false, hasTitle = false, close } = props;
  const control = useMemo(() => ({ current: anchor }), [anchor]);
  const content = useRef<HTMLDivElement>(null);
  const opener = useRef(document.activeElement);
  const isLeft = useRef(false);
  useCloseOutOfSight(anchor, close);

  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Popover.Anchor virtualRef={control} />
      <Popover.Portal container={containerOf(anchor)}>
        <Popover.Content
          ref={content}
          aria-label={label}
          align="start"
          sideOffset={GAP}
          collisionPadding={{ top: 8, right: 8, left: 8, bottom: SPARE - GAP }}
          // Live data moves the control without any event.
          updatePositionStrategy="always"
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focusTarget(content.current)?.focus({ preventScroll: true });
          }}
          onInteractOutside={(event) => {
            // The control closes it itself.
            if (event.target instanceof Node && anchor.contains(event.target)) event.preventDefault();
            else isLeft.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Whoever has gone on elsewhere keeps the focus there.
            if (isLeft.current || document.activeElement !== document.body) return;
            const back = [opener.current, anchor].find((one) => one?.isConnected && one !== document.body);
            if (back instanceof HTMLElement) back.focus({ preventScroll: true });
          }}
          className={`group fade z-40 overflow-hidden rounded-lg border border-line bg-raised shadow-pop outline-none ${wide ? 'w-[28.75rem] max-w-[calc(100vw-1rem)]' : 'w-52'}`}
        >
          {hasTitle && (
            <p aria-hidden className="px-3 pt-2 pb-1 text-13 font-semibold">
              {label}
            </p>
          )}
          <PickerList {...props} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** On touch not the field: the keyboard on the screen would open over the options. */
function focusTarget(list: HTMLElement | null): HTMLElement | null {
  return list?.querySelector<HTMLElement>(isTouchPointer() ? '[data-picker-list]' : 'input') ?? null;
}

/** A list without its control in sight would hang in the air. */
function useCloseOutOfSight(control: HTMLElement, close: () => void): void {
  const latest = useNewest(close);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting === false) latest.current();
    });
    observer.observe(control);
    return () => observer.disconnect();
  }, [control, latest]);
}
