// What stands in a list's place until it is loaded, and above it when it could not be loaded again.
import type { ReactNode } from 'react';
import { FailedPanel, StaleNotice } from './panel.tsx';
import type { FailedRequest } from './request-reference.tsx';
import { Skeleton } from './skeleton.tsx';

interface LoadStateProps {
  isLoaded: boolean;
  /** Why the last load failed; null: it did not. */
  reason: string | null;
  /** At which the server failed. */
  request?: FailedRequest | null;
  /** What is said when there is nothing to show, and what above what was loaded before. */
  failed: string;
  stale(reason: string): string;
  retryLabel: string;
  retry(): void;
  loading: ReactNode;
  children: ReactNode;
}

export function LoadState(props: LoadStateProps) {
  const { isLoaded, reason, failed, stale, loading, children, ...retry } = props;
  if (!isLoaded) return reason === null ? loading : <FailedPanel text={failed} reason={reason} {...retry} />;
  return (
    <>
      {reason !== null && <StaleNotice text={stale(reason)} {...retry} />}
      {children}
    </>
  );
}

interface LoadingRowsProps {
  label: string;
  /** Of each row the width of its main text. */
  widths: readonly string[];
  rowClassName: string;
  children(width: string): ReactNode;
}

/** A table before its rows: a skeleton of each. */
export function LoadingRows({ label, widths, rowClassName, children }: LoadingRowsProps) {
  return (
    <div className="rounded-lg border border-line bg-raised">
      <p role="status" className="sr-only">
        {label}
      </p>
      {widths.map((width) => (
        <div key={width} className={`grid items-center border-b border-line last:border-b-0 ${rowClassName}`}>
          {children(width)}
        </div>
      ))}
    </div>
  );
}

/** A short list in a sheet before its lines. */
export function LoadingLines({ label }: { label: string }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{label}</span>
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-9 w-full" />
    </div>
  );
}
