// The form fields of every screen: a label above the control.
import type { ComponentProps, ReactNode } from 'react';
import { type FailedRequest, RequestReference } from './request-reference.tsx';

const controlClasses =
  'w-full min-w-0 rounded-md border border-line-strong bg-raised font-normal text-ink disabled:border-line disabled:bg-sunken disabled:text-quiet';
const compactHeight = 'h-9 max-md:h-11 pointer-coarse:h-11';

export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className="flex min-w-0 flex-col gap-1 text-13 font-medium">
      {label}
      {children}
    </label>
  );
}

/** `tall`: 44 px everywhere, on the screens that are a form and nothing else. */
export function Input({
  tall = false,
  className = '',
  ...input
}: ComponentProps<'input'> & { tall?: boolean }) {
  const size = tall ? 'h-11 px-3' : `${compactHeight} px-2.5`;
  return (
    <input
      {...input}
      className={`${controlClasses} text-14 ${size} placeholder:text-quiet read-only:border-line read-only:bg-sunken aria-invalid:border-danger ${className}`}
    />
  );
}

/** A tall field with its label. */
export function TextField({ label, ...input }: ComponentProps<'input'> & { label: string }) {
  return (
    <Field label={label}>
      <Input tall {...input} />
    </Field>
  );
}

/** `small`: among the controls of a toolbar. */
export function Select({
  tall = false,
  small = false,
  ...props
}: ComponentProps<'select'> & { tall?: boolean; small?: boolean }) {
  const size = `${tall ? 'h-11 px-2.5' : `${compactHeight} px-2`} ${small ? 'text-13' : 'text-14'}`;
  return <select {...props} className={`${controlClasses} ${size}`} />;
}

/** No number, and not empty either. */
const UNREADABLE = '?';

/** A browser gives '' for a number field whose text is no number; that is not the same as an empty one. */
function typedNumber({ value, validity }: HTMLInputElement): string {
  return validity.badInput ? UNREADABLE : value;
}

/** The props of a number field: `type` gets its text, which is no number either where the browser cannot read it. */
export function numberProps(typed: string, type: (text: string) => void) {
  return {
    // A field whose value is set to a text that it cannot read loses the one that its user sees.
    value: typed === UNREADABLE ? '' : typed,
    // React sends no change event from an empty field to an unreadable one: the value is '' in both.
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => type(typedNumber(currentTarget)),
  };
}

/** Puts the focus in the first field that is marked as invalid, and returns whether there is one. */
export function focusInvalidField(form: HTMLElement | null): boolean {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;
  field?.focus();
  return field !== null;
}

interface FailureNoteProps {
  text: string | null;
  /** At which the server failed. */
  request?: FailedRequest | null;
}

/** Always there, so that its text is announced when it comes. */
export function FailureNote({ text, request = null }: FailureNoteProps) {
  return (
    <div className="flex flex-col items-start gap-1 has-[p:empty]:hidden">
      <p role="alert" className="w-full rounded-md bg-danger-tint px-3 py-2 text-13 text-danger">
        {text}
      </p>
      <RequestReference request={request} />
    </div>
  );
}

/** The quiet counterpart of a failure. */
export function SuccessNote({ text }: { text: string | null }) {
  return (
    <p role="status" className="rounded-md bg-accent-tint px-3 py-2 text-13 empty:hidden">
      {text}
    </p>
  );
}
