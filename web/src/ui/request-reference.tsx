// The request that the server failed at, small below what is said of the failure: it can be read out, or copied whole.
import { Copy } from 'lucide-react';
import { useCopyToClipboard } from './copy-to-clipboard.ts';

export interface FailedRequest {
  /** Whole, as the server's log has it. */
  id: string;
  /** 'Request 3f2a9c1e' */
  text: string;
  copyLabel: string;
  copied: string;
}

export function RequestReference({ request }: { request: FailedRequest | null | undefined }) {
  if (request == null) return null;
  return <Reference key={request.id} {...request} />;
}

function Reference({ id, text, copyLabel, copied }: FailedRequest) {
  // Where it cannot be copied, the whole of it can be read.
  const { copy, status } = useCopyToClipboard(id, { copied, failed: id });
  return (
    <span className="block text-12 font-normal text-quiet">
      <button
        type="button"
        aria-label={copyLabel}
        title={id}
        onClick={copy}
        className="-mx-1 inline-flex h-6 items-center gap-1.5 rounded-sm px-1 tabular-nums hover:bg-sunken hover:text-ink pointer-coarse:h-11"
      >
        {text}
        <Copy aria-hidden className="size-3" />
      </button>{' '}
      <span role="status" className="break-all">
        {status}
      </span>
    </span>
  );
}
