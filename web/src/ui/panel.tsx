// Panels for an empty or failed list, and the notice above a stale one. They know no language: texts are passed in.
import { CloudOff, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface PanelProps {
  glyph: LucideIcon;
  ink?: string;
  children: ReactNode;
}

export function Panel({ glyph: Glyph, ink = 'text-quiet', children }: PanelProps) {
  return (
    <div className="flex min-h-56 flex-col items-center justify-center gap-4 rounded-lg border border-line bg-raised p-6 text-center">
      <Glyph aria-hidden className={`size-7 ${ink}`} strokeWidth={1.5} />
      {children}
    </div>
  );
}

interface FailureProps {
  text: string;
  retryLabel: string;
  retry(): void;
}

/** The load failed. */
export function FailedPanel({ text, reason, retryLabel, retry }: FailureProps & { reason: string }) {
  return (
    <Panel glyph={CloudOff} ink="text-danger">
      <div role="alert">
        <p className="text-14 font-medium">{text}</p>
        <p className="mt-1 text-13 text-quiet">{reason}</p>
      </div>
      <Button onClick={retry}>{retryLabel}</Button>
    </Panel>
  );
}

/** A part is loaded; the rest or the newest state could not be loaded. */
export function StaleNotice({ text, retryLabel, retry }: FailureProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 rounded-lg bg-stale-tint py-1 pr-1 pl-3 text-13 text-stale">
      <CloudOff aria-hidden className="size-4 shrink-0" />
      {/* Where there is no room beside it, the button stands below. */}
      <p role="status" className="min-w-48 flex-1 py-1.5 pr-2">
        {text}
      </p>
      <Button onClick={retry} className="ml-auto h-8 shrink-0">
        {retryLabel}
      </Button>
    </div>
  );
}
