import type { ComponentProps } from 'react';

const variants = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent font-medium',
  destructive: 'bg-danger text-on-danger border-transparent font-medium hover:brightness-95',
  plain: 'bg-raised text-ink border-line hover:bg-sunken',
} as const;

type ButtonProps = ComponentProps<'button'> & { variant?: keyof typeof variants };

export function Button({ variant = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={`inline-flex h-9 items-center justify-center gap-2 rounded-md border px-3.5 text-14 pointer-coarse:min-h-11 disabled:opacity-60 ${variants[variant]} ${className}`}
      {...rest}
    />
  );
}

/** A glyph alone: its name is `label`. */
export function IconButton({
  label,
  className = '',
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type={type}
      aria-label={label}
      className={`grid size-9 shrink-0 place-items-center rounded-md text-quiet hover:bg-sunken hover:text-ink max-md:size-11 pointer-coarse:size-11 ${className}`}
      {...rest}
    />
  );
}
