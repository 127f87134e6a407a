// The menu of a button. Its items are drawn in the landmark that the button is in, so that a screen reader knows where
// they belong.
import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { FocusEvent, ReactNode } from 'react';
import { ButtonElsewhere, containerOfButton } from './button-elsewhere.ts';
import { useLandmark } from './landmark-container.ts';
import type { Opened } from './opener.ts';
import type { Glyph } from './row-glyphs.tsx';

interface MenuProps {
  /** The button. */
  trigger: ReactNode;
  children: ReactNode;
}

const menuClasses =
  'fade z-40 max-h-[min(26rem,var(--radix-dropdown-menu-content-available-height))] min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop';

export function Menu({ trigger, children }: MenuProps) {
  const container = useLandmark('main');
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content align="end" sideOffset={4} className={menuClasses}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface OpenedMenuProps {
  opened: Opened;
  /** Which of its sides is the button's. */
  align?: 'start' | 'end';
  children: ReactNode;
}

/** The menu of a button that is there before the menu's code. */
export function OpenedMenu({ opened, align = 'end', children }: OpenedMenuProps) {
  const focused = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    opened.arrived();
    if (target !== currentTarget || !opened.byKey.current) return;
    // Radix does not know of a key that was pressed before it was there.
    opened.byKey.current = false;
    currentTarget.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
  };
  return (
    <DropdownMenu.Root modal={false} open={opened.isOpen} onOpenChange={opened.setIsOpen}>
      <DropdownMenu.Trigger asChild>
        <ButtonElsewhere opened={opened} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={containerOfButton(opened)}>
        <DropdownMenu.Content
          id={opened.id}
          aria-labelledby={`${opened.id}button`}
          align={align}
          sideOffset={4}
          onFocus={focused}
          className={menuClasses}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const itemClasses =
  'flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-13 outline-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-sunken focus-visible:shadow-[inset_2px_0_0_var(--accent)] max-md:h-11 pointer-coarse:h-11';

interface MenuItemProps {
  glyph?: Glyph;
  disabled?: boolean;
  destructive?: boolean;
  /** The child, a link, is the item. */
  asChild?: boolean;
  act?: () => void;
  children: ReactNode;
}

export function MenuItem({
  glyph: ItemGlyph,
  disabled = false,
  destructive = false,
  asChild = false,
  act,
  children,
}: MenuItemProps) {
  return (
    <DropdownMenu.Item
      asChild={asChild}
      disabled={disabled}
      {...(act !== undefined && { onSelect: act })}
      className={`${itemClasses} ${destructive ? 'text-danger' : ''}`}
    >
      {ItemGlyph === undefined ? (
        children
      ) : (
        <>
          <ItemGlyph aria-hidden className="size-4 shrink-0" />
          {children}
        </>
      )}
    </DropdownMenu.Item>
  );
}

interface MenuChoicesProps<V extends string> {
  label: string;
  choices: readonly { value: V; text: string; lang?: string }[];
  chosen: string;
  choose(value: V): void;
}

/** One of several, of which one is chosen already. */
export function MenuChoices<V extends string>({ label, choices, chosen, choose }: MenuChoicesProps<V>) {
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      <DropdownMenu.RadioGroup value={chosen}>
        {choices.map(({ value, text, lang }) => (
          <DropdownMenu.RadioItem
            key={value}
            value={value}
            lang={lang}
            className={`${itemClasses} justify-between`}
            onSelect={() => choose(value)}
          >
            {text}
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden className="size-4 text-accent" />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </>
  );
}

export function MenuLabel({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <DropdownMenu.Label className={`px-2.5 pt-1.5 pb-1 text-12 text-quiet ${className}`}>
      {children}
    </DropdownMenu.Label>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
