import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;

export function Tips({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </Tooltip.Provider>
  );
}

/** A tooltip: `text`, and below it a quieter `detail`. The child says what it is without it, too. */
export function Tip({
  text,
  detail,
  side = 'bottom',
  children,
}: {
  text: string;
  detail?: string;
  side?: 'right' | 'bottom' | 'top';
  children: ReactNode;
}) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="fade z-50 max-w-72 rounded-md bg-tip px-2.5 py-1.5 text-12 text-on-tip shadow-pop"
        >
          <div className="font-medium">{text}</div>
          {detail !== undefined && <div className="opacity-80">{detail}</div>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
