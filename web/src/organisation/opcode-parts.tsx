// What lists of opcodes have in common: the field of a pattern, its line, and the states before a list is there.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode, Ref } from 'react';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Field, Input } from '../ui/form-field.tsx';
import { LoadingLines } from '../ui/load-state.tsx';
import { FailedLine } from '../ui/panel.tsx';

interface PatternFieldProps {
  label: string;
  value: string;
  type(pattern: string): void;
  ref?: Ref<HTMLInputElement> | undefined;
}

export function PatternField({ label, value, type, ref }: PatternFieldProps) {
  return (
    <Field label={label}>
      <Input
        ref={ref}
        value={value}
        onChange={(event) => type(event.target.value)}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        placeholder="BRK*"
        className="font-mono"
      />
    </Field>
  );
}

interface OpcodeListProps {
  label: string;
  /** What is shown in place of no lines. */
  none: string;
  children: readonly ReactNode[];
}

export function OpcodeList({ label, none, children }: OpcodeListProps) {
  if (children.length === 0) return <p className="text-13 text-quiet">{none}</p>;
  return (
    <ul aria-label={label} className="flex flex-col divide-y divide-line rounded-lg border border-line">
      {children}
    </ul>
  );
}

interface OpcodeLineProps {
  pattern: string;
  /** What is said of it. */
  says: string;
  /** What can be done with it. */
  children: ReactNode;
}

export function OpcodeLine({ pattern, says, children }: OpcodeLineProps) {
  return (
    <li className="flex min-h-12 items-center gap-1 py-1 pr-1 pl-3">
      <div className="min-w-0 flex-1">
        <p className="font-mono text-13 font-medium break-all">{pattern}</p>
        <p className="text-12 text-quiet">{says}</p>
      </div>
      {children}
    </li>
  );
}

interface LoadedProps<T> {
  found: UseQueryResult<T>;
  /** That it could not be loaded. */
  failed: string;
  children(loaded: T): ReactNode;
}

/** What was loaded before stays where it cannot be loaded again. */
export function Loaded<T>({ found: { data, error, refetch }, failed, children }: LoadedProps<T>) {
  const { t } = useTranslation();
  if (data !== undefined) return children(data);
  if (error === null) return <LoadingLines label={t('organisation.loading')} />;
  return (
    <FailedLine
      text={failed}
      {...failureReason(error, t)}
      retryLabel={t('organisation.retry')}
      retry={() => void refetch()}
    />
  );
}
