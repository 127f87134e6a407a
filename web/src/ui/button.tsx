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

interface GlyphButtonProps extends ComponentProps<'button'> {
  /** Its name, which has both words in it. */
  label: string;
  word: string;
  /** On a phone, where it stands below the glyph. */
  shortWord: string;
}

/** A glyph with its word. */
export function GlyphButton({
  label,
  word,
  shortWord,
  className = '',
  type = 'button',
  children,
  ...rest
}: GlyphButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      className={`inline-flex h-9 shrink-0 items-center justify-center gap-1.5 rounded-md px-2.5 text-13 font-medium text-quiet hover:bg-sunken hover:text-ink max-md:h-12 max-md:min-w-13 max-md:flex-col max-md:gap-0.5 max-md:px-1 max-md:text-12 pointer-coarse:min-h-11 ${className}`}
      {...rest}
    >
      {children}
      <span className="max-md:hidden">{word}</span>
      <span className="leading-4 md:hidden">{shortWord}</span>
    </button>
  );
}
