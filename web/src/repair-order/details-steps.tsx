// To the orders before and after the open one, in the list's order.
import { ChevronDown, ChevronUp, type LucideIcon } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';

export interface Steps {
  previous: number | null;
  next: number | null;
  /** From 1; null: the order is not in the list. */
  position: number | null;
  count: number;
}

interface StepButtonsProps {
  steps: Steps;
  open(key: number): void;
}

export function StepButtons({ steps, open }: StepButtonsProps) {
  const { t } = useTranslation();
  const { previous, next, position, count } = steps;
  return (
    <>
      {position !== null && (
        <span
          aria-hidden
          className="mr-1 hidden text-12 whitespace-nowrap text-quiet md:max-[1365px]:inline min-[1600px]:inline"
        >
          {t('details.position', { position, total: count })}
        </span>
      )}
      <StepButton glyph={ChevronUp} name={t('keys.order.previous')} letter="K" to={previous} open={open} />
      <StepButton glyph={ChevronDown} name={t('keys.order.next')} letter="J" to={next} open={open} />
    </>
  );
}

interface StepButtonProps {
  glyph: LucideIcon;
  name: string;
  letter: string;
  to: number | null;
  open(key: number): void;
}

function StepButton({ glyph: Glyph, name, letter, to, open }: StepButtonProps) {
  return (
    <IconButton
      label={name}
      title={`${name} (${letter})`}
      aria-keyshortcuts={letter}
      // It keeps the focus at the end of the list.
      aria-disabled={to === null}
      onClick={() => {
        if (to !== null) open(to);
      }}
      className="aria-disabled:cursor-default aria-disabled:opacity-40"
    >
      <Glyph aria-hidden className="size-[18px]" />
    </IconButton>
  );
}

/** Says which order is open: the focus may be elsewhere. */
export function StepStatus({ number, steps }: { number: string | null; steps: Steps }) {
  const { t } = useTranslation();
  const { position, count } = steps;
  return (
    <p role="status" className="sr-only">
      {number !== null &&
        (position === null
          ? t('details.open', { number })
          : `${t('details.open', { number })}, ${t('details.position', { position, total: count })}`)}
    </p>
  );
}
