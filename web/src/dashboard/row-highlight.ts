// A changed row is highlighted for two seconds, wherever it moves.
import { type CSSProperties, useEffect, useState } from 'react';

const HIGHLIGHT_MS = 2_000;

export interface RowHighlight {
  on: boolean;
  style?: CSSProperties & { '--glow-age'?: string };
}

export function useRowHighlight(changedAt: number): RowHighlight {
  const [now, setNow] = useState(() => Date.now());
  const left = changedAt + HIGHLIGHT_MS - Math.max(now, changedAt);

  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), left);
    return () => clearTimeout(timer);
  }, [left]);

  if (left <= 0) return { on: false };
  return { on: true, style: { '--glow-age': `${left - HIGHLIGHT_MS}ms` } };
}
