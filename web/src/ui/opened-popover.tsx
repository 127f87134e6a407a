// A small dialog at the button that opened it.
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { ButtonElsewhere, containerOfButton } from './button-elsewhere.ts';
import type { Opened } from './opener.ts';

interface OpenedPopoverProps {
  opened: Opened;
  label: string;
  className: string;
  onCloseAutoFocus?(event: Event): void;
  children: ReactNode;
}

export function OpenedPopover({ opened, label, className, onCloseAutoFocus, children }: OpenedPopoverProps) {
  return (
    <Popover.Root open={opened.isOpen} onOpenChange={opened.setIsOpen}>
      <Popover.Trigger asChild>
        <ButtonElsewhere opened={opened} />
      </Popover.Trigger>
      <Popover.Portal container={containerOfButton(opened)}>
        <Popover.Content
          id={opened.id}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          onFocus={opened.arrived}
          {...(onCloseAutoFocus !== undefined && { onCloseAutoFocus })}
          className={`fade z-40 rounded-lg border border-line bg-raised shadow-pop ${className}`}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
