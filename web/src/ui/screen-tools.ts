// What the buttons of the screen's tools do, for whoever starts them without: the command palette. A tool is there as long
// as its button is.
import { createAtom, useSelector } from '@tanstack/react-store';
import type { LucideIcon } from 'lucide-react';
import { useEffect } from 'react';
import { useNewest } from './latest.ts';

interface ToolFace {
  /** The same tool has the same id, whatever it says. */
  id: string;
  glyph: LucideIcon;
  /** What it would do now. */
  text: string;
  /** The key that does the same. */
  keys?: string;
  /** It is about what is selected: it comes first. */
  isAboutSelection?: true;
}

export interface ScreenTool extends ToolFace {
  run(): void;
}

const none: readonly ScreenTool[] = [];
const tools = createAtom(none);

export function useScreenTools(): readonly ScreenTool[] {
  return useSelector(tools);
}

/** Undefined where the screen has no such tool. */
export function findScreenTool(id: string): ScreenTool | undefined {
  return tools.get().find((tool) => tool.id === id);
}

/** `isThere` false: the tool would do nothing now. */
export function useScreenTool(face: ToolFace, run: () => void, isThere = true): void {
  const { id, glyph, text, keys, isAboutSelection = false } = face;
  const latest = useNewest(run);
  useEffect(() => {
    if (!isThere) return;
    const tool = { id, glyph, text, ...(keys !== undefined && { keys }), run: () => latest.current() };
    tools.set((others) => (isAboutSelection ? [tool, ...others] : [...others, tool]));
    return () => tools.set((all) => all.filter((one) => one !== tool));
  }, [id, glyph, text, keys, isAboutSelection, isThere, latest]);
}
