// What stands in the place of content that is empty, failed or out of date. They know no language: texts are passed in.
import { CircleAlert, CloudOff, History, type LucideIcon, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { type FailedRequest, RequestReference } from './request-reference.tsx';

interface PanelProps {
  glyph: LucideIcon;
  ink?: string;
  className?: string;
  children: ReactNode;
}

export function Panel({ glyph: Glyph, ink = 'text-quiet', className = 'min-h-56', children }: PanelProps) {
  return (
    <div
      className={`flex flex-col items-center justify-center gap-4 rounded-lg border border-line bg-raised p-6 text-center ${className}`}
    >
      <Glyph aria-hidden className={`size-7 ${ink}`} strokeWidth={1.5} />
      {children}
    </div>
  );
}

interface MessagePanelProps {
  glyph: LucideIcon;
  text: string;
  hint?: string | undefined;
  className?: string;
  /** What can be done about it. */
  children?: ReactNode;
}

/** There is nothing to show, and why. */
export function MessagePanel({ text, hint, children, ...panel }: MessagePanelProps) {
  return (
    <Panel {...panel}>
      {hint === undefined ? (
        <p role="status" className="text-14 font-medium">
          {text}
        </p>
      ) : (
        <div role="status">
          <p className="text-14 font-medium">{text}</p>
          <p className="mt-1 max-w-md text-13 text-quiet">{hint}</p>
        </div>
      )}
      {children}
    </Panel>
  );
}

interface RetryProps {
  retryLabel: string;
  retry(): void;
  /** It is being tried. */
  retrying?: boolean;
}

interface FailureProps extends RetryProps {
  text: string;
  reason?: string | null;
  /** At which the server failed. */
  request?: FailedRequest | null;
}

/** The load failed. */
export function FailedPanel({
  text,
  reason = null,
  request = null,
  retryLabel,
  retry,
  retrying = false,
  ...panel
}: FailureProps & { className?: string }) {
  return (
    <Panel glyph={CloudOff} ink="text-danger" {...panel}>
      <div role="alert">
        <p className="text-14 font-medium">{text}</p>
        {reason !== null && <p className="mt-1 text-13 text-quiet">{reason}</p>}
      </div>
      <RequestReference request={request} />
      <Button onClick={retry} disabled={retrying}>
        {retryLabel}
      </Button>
    </Panel>
  );
}

/** The same for a part of a screen or a sheet. */
export function FailedLine(props: FailureProps) {
  const { text, reason = null, request = null, retryLabel, retry, retrying = false } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <CloudOff aria-hidden className="size-5 shrink-0 text-danger" />
      <div className="min-w-48 flex-1 text-13">
        <p role="alert">
          <span className="font-medium">{text}</span>
          {reason !== null && <span className="block text-quiet">{reason}</span>}
        </p>
        <RequestReference request={request} />
      </div>
      <Button onClick={retry} disabled={retrying} className="max-md:h-11">
        {retryLabel}
      </Button>
    </div>
  );
}

interface StaleNoticeProps extends RetryProps {
  text: string;
  /** Red, and said at once: the screen is worked from. */
  urgent?: boolean;
  request?: FailedRequest | null;
}

/** A part is loaded; the rest or the newest state could not be loaded. */
export function StaleNotice(props: StaleNoticeProps) {
  const { text, urgent = false, request = null, retryLabel, retry, retrying = false } = props;
  return (
    <div
      className={`flex shrink-0 flex-wrap items-center gap-x-3 rounded-lg py-1 pr-1 pl-3 text-13 ${urgent ? 'bg-danger-tint text-danger' : 'bg-stale-tint text-stale'}`}
    >
      <CloudOff aria-hidden className="size-4 shrink-0" />
      {/* Where there is no room beside it, the button stands below. */}
      <div className="min-w-48 flex-1 py-1.5 pr-2">
        <p role={urgent ? 'alert' : 'status'}>{text}</p>
        <RequestReference request={request} />
      </div>
      <Button onClick={retry} disabled={retrying} className="ml-auto h-8 shrink-0">
        {retryLabel}
      </Button>
    </div>
  );
}

/** What is shown was saved on this device, and may be older than what the server has. */
export function LastKnownNotice({ text, className = '' }: { text: string; className?: string }) {
  return (
    <div
      role="status"
      className={`flex min-h-11 shrink-0 items-center gap-3 rounded-lg bg-stale-tint px-3 py-1 text-13 text-stale ${className}`}
    >
      <History aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 font-semibold">{text}</span>
    </div>
  );
}

interface FailureBannerProps {
  text: string;
  request?: FailedRequest | null;
  dismissLabel: string;
  dismiss(): void;
  /** An action to resolve it. */
  action?: ReactNode;
}

/** Something that was done failed; it is shown until it is dismissed. */
export function FailureBanner({ text, request = null, dismissLabel, dismiss, action }: FailureBannerProps) {
  return (
    <div className="flex items-center gap-3 rounded-lg bg-danger-tint py-1 pr-1 pl-3 text-13 text-danger">
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      <div className="min-w-0 flex-1 py-1.5">
        <p role="alert" className="break-words">
          {text}
        </p>
        <RequestReference request={request} />
      </div>
      {action}
      <button
        type="button"
        aria-label={dismissLabel}
        onClick={dismiss}
        className="grid size-8 shrink-0 place-items-center rounded-md hover:bg-danger/10 max-md:size-11 pointer-coarse:size-11"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
