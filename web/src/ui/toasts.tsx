import { CircleAlert, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { currentToast, dismissToast, onToast, TOAST_MS } from './toaster.ts';

const SWIPE_PX = 50;
const HOTKEY = 'F8';

/** `region` names the place where toasts appear, '{hotkey}' in it being the key that jumps there; `one` names a toast. */
export function Toasts({ region, one, closeLabel }: { region: string; one: string; closeLabel: string }) {
  const toast = useSyncExternalStore(onToast, currentToast);
  return (
    <Toast.Provider label={one} duration={TOAST_MS} swipeThreshold={SWIPE_PX} swipeDirection="right">
      {toast !== null && (
        <Toast.Root
          key={toast.id}
          open={toast.open}
          onOpenChange={(open) => {
            if (!open) dismissToast(toast.id);
          }}
          // A failure is said at once, good news when the reader pauses.
          type={toast.tone === 'destructive' ? 'foreground' : 'background'}
          className={`toast pointer-events-auto flex items-center gap-2.5 rounded-lg border bg-raised py-2.5 pr-2 pl-3 shadow-pop ${
            toast.tone === 'destructive' ? 'border-danger' : 'border-line'
          }`}
        >
          {toast.tone === 'destructive' && (
            <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
          )}
          <div className="min-w-0 flex-1">
            <Toast.Title className="text-13 font-medium text-ink">{toast.text}</Toast.Title>
            {toast.detail !== undefined && (
              <Toast.Description className="mt-0.5 text-12 text-quiet">{toast.detail}</Toast.Description>
            )}
          </div>
          {toast.action !== undefined && (
            <Toast.Action
              altText={toast.action.otherWay}
              onClick={toast.action.run}
              className="-my-0.5 h-7 shrink-0 self-center rounded-md px-2.5 text-13 font-semibold text-accent hover:bg-accent-tint pointer-coarse:h-11"
            >
              {toast.action.label}
            </Toast.Action>
          )}
          <Toast.Close
            aria-label={closeLabel}
            className="-my-0.5 grid size-7 shrink-0 place-items-center self-center rounded-md text-quiet hover:bg-sunken hover:text-ink pointer-coarse:size-11"
          >
            <X aria-hidden className="size-4" />
          </Toast.Close>
        </Toast.Root>
      )}
      {/* A dialog hides from screen readers whatever is beside it, but not what is marked as live, however quiet. */}
      <div aria-live="off">
        <Toast.Viewport
          hotkey={[HOTKEY]}
          label={region}
          // Dialogs and their buttons are on the right of a wide screen and at the bottom of a phone.
          className="pointer-events-none fixed bottom-4 left-22 z-50 flex w-[min(420px,calc(100vw-1.5rem))] flex-col max-md:top-14 max-md:bottom-auto max-md:left-3 print:hidden"
        />
      </div>
    </Toast.Provider>
  );
}
