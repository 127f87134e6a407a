// A toast: announced to screen readers once, closed after a timeout that pauses while somebody reads it, and swiped
// away.
import { CircleAlert, X } from 'lucide-react';
import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { RequestReference } from './request-reference.tsx';
import type { Toast } from './toaster.ts';

interface ToastCardProps {
  toast: Toast;
  one: string;
  closeLabel: string;
  /** The focus is inside the toast region. */
  isRead: boolean;
  dismiss(): void;
}

export function ToastCard({ toast, one, closeLabel, isRead, dismiss }: ToastCardProps) {
  const { tone, text, detail, action, request } = toast;
  const [isBelowHand, setIsBelowHand] = useState(false);
  const isAway = useIsAway();
  useCountdown(toast.durationMs, isRead || isBelowHand || isAway, dismiss);
  const swipe = useSwipe(dismiss);
  return (
    <li
      {...swipe}
      onPointerEnter={() => setIsBelowHand(true)}
      onPointerLeave={() => setIsBelowHand(false)}
      className={`toast pointer-events-auto flex touch-none items-center gap-2.5 rounded-lg border bg-raised py-2 pr-2 pl-3 shadow-pop max-md:py-0.5 select-none ${
        tone === 'destructive' ? 'border-danger' : 'border-line'
      }`}
    >
      <Announcement
        // A failure is announced at once, good news when the reader pauses.
        urgency={tone === 'destructive' ? 'assertive' : 'polite'}
        text={[one, text, detail, action?.otherWay].filter((part) => part !== undefined).join(' ')}
      />
      {tone === 'destructive' && <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />}
      <div className="min-w-0 flex-1">
        <div className="text-13 font-medium text-ink">{text}</div>
        {detail !== undefined && <div className="mt-0.5 text-12 text-quiet">{detail}</div>}
        <RequestReference request={request} />
      </div>
      {action !== undefined && (
        <button
          type="button"
          onClick={() => {
            action.run();
            dismiss();
          }}
          className="-my-0.5 h-7 shrink-0 self-center rounded-md px-2.5 text-13 font-semibold text-accent hover:bg-accent-tint pointer-coarse:h-11"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={closeLabel}
        onClick={dismiss}
        className="-my-0.5 grid size-7 shrink-0 place-items-center self-center rounded-md text-quiet hover:bg-sunken hover:text-ink pointer-coarse:size-11"
      >
        <X aria-hidden className="size-4" />
      </button>
    </li>
  );
}

function useCountdown(durationMs: number, isHeld: boolean, dismiss: () => void): void {
  const left = useRef(durationMs);
  const end = useEffectEvent(dismiss);
  useEffect(() => {
    if (isHeld) return;
    const since = Date.now();
    const timer = setTimeout(() => end(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - since;
    };
  }, [isHeld]);
}

/** Another window is active. */
function useIsAway(): boolean {
  const [isAway, setIsAway] = useState(() => !document.hasFocus());
  useEffect(() => {
    const leave = () => setIsAway(true);
    const comeBack = () => setIsAway(false);
    window.addEventListener('blur', leave);
    window.addEventListener('focus', comeBack);
    return () => {
      window.removeEventListener('blur', leave);
      window.removeEventListener('focus', comeBack);
    };
  }, []);
  return isAway;
}

const SWIPE_PX = 50;
/** A shorter movement is a press. */
const STEADY_PX = { touch: 10, other: 2 };

/** To the right, from where the pointer went down. */
function useSwipe(dismiss: () => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  const [offset, setOffset] = useState<number | null>(null);
  const end = () => {
    start.current = null;
    setOffset(null);
  };
  return {
    style: offset === null ? undefined : { transform: `translateX(${offset}px)`, transition: 'none' },
    onPointerDown: ({ button, clientX, clientY }: PointerEvent) => {
      if (button === 0) start.current = { x: clientX, y: clientY };
    },
    onPointerMove: ({ clientX, clientY, currentTarget, pointerId, pointerType }: PointerEvent) => {
      if (start.current === null) return;
      const right = Math.max(0, clientX - start.current.x);
      const steady = pointerType === 'touch' ? STEADY_PX.touch : STEADY_PX.other;
      if (offset === null) {
        if (Math.abs(clientY - start.current.y) > Math.max(right, steady)) start.current = null;
        if (start.current === null || right <= steady) return;
        // The element below the released pointer is not clicked.
        currentTarget.setPointerCapture(pointerId);
      }
      setOffset(right);
    },
    onPointerUp: ({ clientX }: PointerEvent) => {
      const right = start.current === null ? 0 : clientX - start.current.x;
      end();
      if (right > SWIPE_PX) dismiss();
    },
    onPointerCancel: end,
  };
}

/** How long an announced text stays in the page (ms), so that nobody reads it a second time. */
const ANNOUNCED_MS = 1_000;

/**
 * Empty at first, because only changes are announced. Outside everything else, so that no dialog hides it.
 */
function Announcement({ text, urgency }: { text: string; urgency: 'assertive' | 'polite' }) {
  const [stage, setStage] = useState<'before' | 'now' | 'over'>('before');
  useEffect(() => {
    const frame = requestAnimationFrame(() => setStage('now'));
    const timer = setTimeout(() => setStage('over'), ANNOUNCED_MS);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  if (stage === 'over') return null;
  return createPortal(
    <div role="status" aria-live={urgency} className="sr-only">
      {stage === 'now' && text}
    </div>,
    document.body,
  );
}
