import { Copy } from 'lucide-react';
import { copyText } from '../ui/clipboard.ts';
import { showToast } from '../ui/toaster.ts';

interface CopyButtonProps {
  text: string;
  /** The button's name. */
  label: string;
  copied: string;
  notCopied: string;
}

export function CopyButton({ text, label, copied, notCopied }: CopyButtonProps) {
  const copy = () => {
    copyText(text).then(
      () => showToast({ text: copied }),
      () => showToast({ tone: 'destructive', text: notCopied }),
    );
  };
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={copy}
      className="-my-1 inline-grid size-7 shrink-0 place-items-center rounded-sm align-middle text-quiet hover:bg-sunken hover:text-ink max-md:-my-3 max-md:size-11 pointer-coarse:-my-3 pointer-coarse:size-11"
    >
      <Copy aria-hidden className="size-3.5" />
    </button>
  );
}
