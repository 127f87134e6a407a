// The fields of the screens before the desk and of one's own account: a label above, 44 px high.
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useId, useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';

type FieldProps = ComponentProps<'input'> & { label: string };

export function Field({ label, className = '', ...input }: FieldProps) {
  return (
    <label className="flex flex-col gap-1.5 text-13 font-medium">
      {label}
      <input className={`${inputClasses} ${className}`} {...input} />
    </label>
  );
}

/** What is typed can be shown. */
export function PasswordField({ label, ...input }: FieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [shown, setShown] = useState(false);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          type={shown ? 'text' : 'password'}
          required
          autoCapitalize="none"
          spellCheck={false}
          className={`${inputClasses} w-full pr-11`}
          {...input}
        />
        <button
          type="button"
          aria-label={shown ? t('login.hidePassword') : t('login.showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-quiet hover:text-ink"
        >
          {shown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
        </button>
      </div>
    </div>
  );
}

const inputClasses =
  'h-11 rounded-md border border-line-strong bg-raised px-3 text-14 font-normal text-ink placeholder:text-quiet aria-invalid:border-danger';

/** Always there, so that its text is announced when it comes. */
export function FailureNote({ text }: { text: string | null }) {
  return (
    <p role="alert" className="rounded-md bg-danger-tint px-3 py-2 text-13 text-danger empty:hidden">
      {text}
    </p>
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
