// What a tooltip looks like, where it stands, and when it closes by itself.
import { Tooltip } from 'radix-ui';
import { type Ref, type RefObject, useImperativeHandle } from 'react';

export interface ShownTipProps {
  trigger: RefObject<HTMLElement | null>;
  /** The trigger is described by it. */
  id: string;
  text: string;
  detail: string | undefined;
  side: 'right' | 'bottom' | 'top';
  close(): void;
}

export function ShownTip({ trigger, id, text, detail, side, close }: ShownTipProps) {
  return (
    <Tooltip.Provider>
      <Tooltip.Root open onOpenChange={(isOpen) => !isOpen && close()}>
        <Tooltip.Trigger asChild>
          <TriggerElsewhere trigger={trigger} />
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content
            id={id}
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
    </Tooltip.Provider>
  );
}

interface TriggerElsewhereProps {
  trigger: RefObject<HTMLElement | null>;
  ref?: Ref<HTMLElement | null>;
}

/** For Radix the trigger, which is rendered where the code of Radix's tooltips is not loaded. */
function TriggerElsewhere({ trigger, ref }: TriggerElsewhereProps) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => trigger.current, [trigger]);
  return null;
}
