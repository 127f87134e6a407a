import { useQueryClient } from '@tanstack/react-query';
import { Check, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../i18n/use-translation.ts';
import { useChanges, useIsStatusChanging } from '../repair-order/changes.ts';
import { cachedOrders } from '../repair-order/live-orders.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { type DisplayedStatus, displayedStatuses, statusAppearance } from '../repair-order/statuses.ts';
import { landmark } from '../ui/landmark-container.ts';
import { isTouchPointer } from '../ui/pointer-type.ts';

/** px; the menu's geometry is known before it is drawn, so that it can open upward without a jump. */
const ITEM_HEIGHT = 34;
const TOUCH_ITEM_HEIGHT = 44;
const SPARE = 40;
const GAP = 4;

interface Order {
  key: number;
  roNumber: string;
  status: DisplayedStatus;
}

interface StatusPickerProps {
  order: Order;
  /** For users who may not change it. */
  readOnly: boolean;
  /** Handles a picked status, where it differs from the desk's default. */
  pick?: (roNumber: number, status: DisplayedStatus, openedOrder: OpenOrder | undefined) => void;
}

/** Shows the order's status, and a menu to pick another one. */
export function StatusPicker({ order, readOnly, pick }: StatusPickerProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const changes = useChanges();
  const updating = useIsStatusChanging(order.key);
  /** The order when the menu was opened: the pick was decided on that version. */
  const openedOrder = useRef<OpenOrder>(undefined);
  const [place, setPlace] = useState<MenuPlacement | null>(null);
  const control = useRef<HTMLButtonElement>(null);
  const open = place !== null && !updating;
  const wasUpdating = useRef(updating);

  // Loading closes the menu: it must not reopen when the change is done.
  if (updating && place !== null) setPlace(null);

  // A disabled control loses the focus; keyboard users get it back, unless they have moved on.
  useEffect(() => {
    const ended = wasUpdating.current && !updating;
    wasUpdating.current = updating;
    if (ended && document.activeElement === document.body) control.current?.focus({ preventScroll: true });
  }, [updating]);

  const appearance = statusAppearance[order.status];
  const status = t(`status.${order.status}`);
  const chip = `relative inline-flex h-7 max-w-full items-center gap-1.5 rounded-md px-2 text-13 font-medium max-md:h-11 md:pointer-coarse:h-8 md:pointer-coarse:after:absolute md:pointer-coarse:after:-inset-y-1.5 md:pointer-coarse:after:inset-x-0 ${appearance.ink} ${appearance.tint}`;
  if (readOnly) {
    return (
      <span className={chip}>
        <appearance.glyph aria-hidden className="size-4 shrink-0" />
        {status}
      </span>
    );
  }

  const close = (refocus: boolean) => {
    setPlace(null);
    if (refocus) control.current?.focus();
  };
  return (
    <>
      <button
        ref={control}
        type="button"
        disabled={updating}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={t('statusPicker.label', {
          number: order.roNumber,
          status: updating ? t('statusPicker.updating') : status,
        })}
        onClick={(event) => {
          openedOrder.current = cachedOrders(client).open.get(order.key);
          setPlace(open ? null : menuPlacement(event.currentTarget.getBoundingClientRect()));
        }}
        className={`group ${chip} hover:brightness-[0.97] disabled:bg-sunken disabled:text-quiet dark:hover:brightness-110`}
      >
        <appearance.glyph aria-hidden className="size-4 shrink-0" />
        <span className="truncate">{updating ? t('statusPicker.updating') : status}</span>
        {!updating && <ChevronDown aria-hidden className="size-3.5 shrink-0 opacity-70" />}
      </button>
      {open &&
        createPortal(
          <StatusMenu
            label={t('statusPicker.menu', { number: order.roNumber })}
            current={order.status}
            place={place}
            control={control}
            move={setPlace}
            close={close}
            pick={(picked) => {
              close(true);
              if (pick === undefined) void changes.status(order.key, picked, openedOrder.current);
              else pick(order.key, picked, openedOrder.current);
            }}
          />,
          landmark('main') ?? document.body,
        )}
    </>
  );
}

export interface MenuPlacement {
  left: number;
  /** From the top of the window when it opens downward, from the bottom when it opens upward. */
  top?: number;
  bottom?: number;
}

function itemHeight(): number {
  return isTouchPointer() ? TOUCH_ITEM_HEIGHT : ITEM_HEIGHT;
}

export function menuPlacement(
  control: Pick<DOMRect, 'top' | 'bottom' | 'left'>,
  windowHeight = window.innerHeight,
): MenuPlacement {
  const below = windowHeight - control.bottom;
  return below < displayedStatuses.length * itemHeight() + SPARE
    ? { left: control.left, bottom: windowHeight - control.top + GAP }
    : { left: control.left, top: control.bottom + GAP };
}

/** px; less is rounding. */
const MOVED_PX = 1;

function isSamePlace(one: MenuPlacement, other: MenuPlacement): boolean {
  const near = (a = Number.NaN, b = Number.NaN) => Math.abs(a - b) <= MOVED_PX;
  return near(one.left, other.left) && (near(one.top, other.top) || near(one.bottom, other.bottom));
}

/** Whether the middle of the control is visible, in the window and in its scroller, outside sticky parts. */
function isInView(control: HTMLElement): boolean {
  const { left, right, top, bottom } = control.getBoundingClientRect();
  const x = (left + right) / 2;
  const y = (top + bottom) / 2;
  if (x < 0 || y < 0 || x > window.innerWidth || y > window.innerHeight) return false;
  for (let ancestor = control.parentElement; ancestor !== null; ancestor = ancestor.parentElement) {
    const style = getComputedStyle(ancestor);
    if (style.overflowY !== 'auto' && style.overflowY !== 'scroll') continue;
    const box = ancestor.getBoundingClientRect();
    const stickyTop = Number.parseFloat(style.scrollPaddingTop) || 0;
    const stickyLeft = Number.parseFloat(style.scrollPaddingLeft) || 0;
    if (x < box.left + stickyLeft || x > box.right || y < box.top + stickyTop || y > box.bottom) return false;
  }
  return true;
}

interface MenuProps {
  label: string;
  current: DisplayedStatus;
  place: MenuPlacement;
  control: React.RefObject<HTMLButtonElement | null>;
  move(place: MenuPlacement): void;
  close(refocus: boolean): void;
  pick(status: DisplayedStatus): void;
}

function StatusMenu({ label, current, place, control, move, close, pick }: MenuProps) {
  const { t } = useTranslation();
  const menu = useRef<HTMLDivElement>(null);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitemradio"]') ?? [])];

  useLayoutEffect(() => {
    menu.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    const outside = (event: Event) => {
      const target = event.target instanceof Node ? event.target : null;
      if (!menu.current?.contains(target) && !control.current?.contains(target)) close(false);
    };
    document.addEventListener('pointerdown', outside, true);
    return () => document.removeEventListener('pointerdown', outside, true);
  });

  useEffect(() => {
    // The menu has a fixed position and follows its control, which moves on scroll, and without any event when live
    // data inserts a row above it.
    const follow = () => {
      const beside = control.current;
      if (beside === null) return;
      const there = menuPlacement(beside.getBoundingClientRect());
      if (isSamePlace(there, place)) return;
      if (isInView(beside)) move(there);
      else close(false);
    };
    let frame = requestAnimationFrame(function checkPlace() {
      frame = requestAnimationFrame(checkPlace);
      follow();
    });
    document.addEventListener('scroll', follow, true);
    window.addEventListener('resize', follow);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('scroll', follow, true);
      window.removeEventListener('resize', follow);
    };
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item.matches(':focus'));
    const go = (to: number) => all[(to + all.length) % all.length]?.focus();
    if (event.key === 'Escape') close(true);
    else if (event.key === 'ArrowDown' || (event.key === 'Tab' && !event.shiftKey)) go(at + 1);
    else if (event.key === 'ArrowUp' || event.key === 'Tab') go(at - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      style={place}
      className="fade fixed z-40 w-40 overflow-hidden rounded-lg border border-line bg-raised shadow-pop"
    >
      {displayedStatuses.map((status) => {
        const appearance = statusAppearance[status];
        const chosen = status === current;
        return (
          <button
            key={status}
            type="button"
            role="menuitemradio"
            aria-checked={chosen}
            tabIndex={-1}
            onClick={() => pick(status)}
            style={{ height: itemHeight() }}
            className="flex w-full items-center gap-2 px-3 text-13 outline-none hover:bg-sunken focus:bg-sunken focus-visible:shadow-[inset_2px_0_0_var(--accent)]"
          >
            <appearance.glyph aria-hidden className={`size-4 ${appearance.ink}`} />
            <span className="flex-1 text-left">{t(`status.${status}`)}</span>
            {chosen && <Check aria-hidden className="size-4 text-accent" />}
          </button>
        );
      })}
    </div>
  );
}
