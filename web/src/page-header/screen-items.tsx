import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { MenuItem, OpenedMenu } from '../ui/menu.tsx';
import type { Opened } from '../ui/opener.ts';
import type { ScreenLink } from './screen-links.tsx';

interface ScreenItemsProps {
  opened: Opened;
  screens: readonly ScreenLink[];
  current: ScreenLink | undefined;
}

/** All screens, on a phone. */
export function ScreenItems({ opened, screens, current }: ScreenItemsProps) {
  return (
    <OpenedMenu opened={opened} align="start">
      {screens.map((screen) => (
        <MenuItem key={screen.path} asChild>
          <Link to={screen.path} aria-current={screen === current ? 'page' : undefined}>
            <screen.glyph aria-hidden className="size-[18px] shrink-0 text-quiet" />
            <span className="min-w-0 flex-1">{screen.name}</span>
            {screen === current && <Check aria-hidden className="size-4 text-accent" />}
          </Link>
        </MenuItem>
      ))}
    </OpenedMenu>
  );
}
