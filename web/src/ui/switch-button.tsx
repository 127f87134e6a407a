// A switch that says its name and, beside it, whether it is on.
import type { LucideIcon } from 'lucide-react';
import { Switch } from 'radix-ui';
import { Button } from './button.tsx';

interface SwitchButtonProps {
  glyph: LucideIcon;
  label: string;
  /** What is said of its state. */
  state: string;
  isOn: boolean;
  disabled?: boolean;
  turn(on: boolean): void;
}

export function SwitchButton({
  glyph: Glyph,
  label,
  state,
  isOn,
  disabled = false,
  turn,
}: SwitchButtonProps) {
  return (
    <Switch.Root asChild checked={isOn} disabled={disabled} onCheckedChange={turn}>
      <Button className="aria-checked:border-accent aria-checked:text-accent max-md:h-11">
        <Glyph aria-hidden className="size-4" />
        {label}
        <span aria-hidden className="text-quiet">
          {state}
        </span>
      </Button>
    </Switch.Root>
  );
}
