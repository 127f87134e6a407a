// The command palette: finds orders, technicians and actions, and takes sentences such as '4389 assign joe'. Its field is
// there first and gets what was typed since Ctrl-K; its suggestions come after it.
import { Search, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import {
  type ComponentProps,
  type ComponentType,
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { dialogTexts } from '../i18n/dialogs.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { ScreenLink } from '../page-header/screen-links.tsx';
import { useHistoryEntry } from '../ui/history-entries.ts';
import type { ListState, PaletteResultsProps } from './palette-results.tsx';

interface PaletteProps {
  screens: readonly ScreenLink[];
  close(): void;
  restoreFocus(event: Event): void;
  /** Takes the palette's place. */
  showKeys(): void;
  /** What was typed while it was awaited. */
  takeText(): string;
}

export function Palette({ restoreFocus, ...rest }: PaletteProps) {
  const { t } = useTranslation();
  useHistoryEntry(true, rest.close);
  return (
    <Dialog.Root
      open
      onOpenChange={(next) => {
        if (!next) rest.close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="fade fixed inset-0 z-40 bg-black/35" />
        <Dialog.Content
          data-palette
          aria-describedby={undefined}
          onCloseAutoFocus={restoreFocus}
          className="fade fixed top-[min(12vh,7rem)] left-1/2 z-40 flex max-h-[min(34rem,76dvh)] w-[min(640px,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-pop max-md:inset-x-0 max-md:top-0 max-md:left-0 max-md:max-h-[88dvh] max-md:w-full max-md:translate-x-0 max-md:rounded-t-none max-md:border-x-0 max-md:border-t-0"
        >
          <Dialog.Title className="sr-only">{t('palette.title')}</Dialog.Title>
          <CommandInput {...rest} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const EMPTY: ListState = { count: 0, active: undefined };

function CommandInput({ screens, close, showKeys, takeText }: Omit<PaletteProps, 'restoreFocus'>) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, type] = useState('');
  const [list, showState] = useState(EMPTY);
  const field = useRef<HTMLInputElement>(null);
  const keys = useRef<(event: KeyboardEvent) => void>(null);
  const { Results, failed } = useResults();
  // At once, before another key is pressed: that one would go to what had the focus.
  useLayoutEffect(() => {
    field.current?.focus();
    type(takeText());
  }, [takeText]);

  return (
    <>
      <div className="flex shrink-0 items-center gap-2.5 border-b border-line pr-2 pl-4">
        <Search aria-hidden className="size-4 shrink-0 text-quiet" />
        <CommandField
          ref={field}
          aria-expanded={list.count > 0}
          aria-controls={id}
          aria-activedescendant={list.active}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => keys.current?.(event)}
        />
        <Dialog.Close
          aria-label={t('details.close')}
          className="grid size-11 shrink-0 place-items-center rounded-md text-quiet md:hidden"
        >
          <X aria-hidden className="size-[18px]" />
        </Dialog.Close>
      </div>
      {Results === null ? (
        <p role="status" className="appear-soon px-4 py-6 text-center text-13 text-quiet">
          {failed ? t('palette.failed') : t('palette.loading')}
        </p>
      ) : (
        <Results
          keys={keys}
          id={id}
          typed={typed}
          type={type}
          showState={showState}
          focusField={() => field.current?.focus()}
          screens={screens}
          close={close}
          showKeys={showKeys}
        />
      )}
    </>
  );
}

function CommandField(props: ComponentProps<'input'>) {
  const { t } = useTranslation();
  return (
    <input
      role="combobox"
      aria-expanded={props['aria-expanded']}
      aria-autocomplete="list"
      aria-label={t('palette.field')}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      enterKeyHint="go"
      placeholder={t('palette.placeholder')}
      className="h-12 min-w-0 flex-1 bg-transparent text-16 outline-none placeholder:text-quiet"
      {...props}
    />
  );
}

let loaded: ComponentType<PaletteResultsProps> | null = null;

/** Not by Suspense: that would replace the field, and wait before it shows what is there. */
function useResults(): { Results: typeof loaded; failed: boolean } {
  const [Results, setResults] = useState(() => loaded);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (loaded !== null) return;
    Promise.all([import('./palette-results.tsx'), loadTexts(dialogTexts)]).then(
      ([{ PaletteResults }]) => {
        loaded = PaletteResults;
        setResults(() => PaletteResults);
      },
      () => setFailed(true),
    );
  }, []);
  return { Results, failed };
}
