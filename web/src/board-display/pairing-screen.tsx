// The screen before pairing: the code, where to type it, and a QR code for a phone.
import { renderSVG } from 'uqr';
import type { PairingFlow } from './pairing-flow.ts';
import { serverNow } from './server-clock.ts';
import { texts } from './texts.ts';

export function PairingScreen({ pairer, linkSpent }: { pairer: PairingFlow; linkSpent: boolean }) {
  const { pairing, failed } = pairer;
  const address = `${location.host}/boards`;
  return (
    <main class="pairing">
      <h1>{texts.pairTitle}</h1>
      {pairing === null ? (
        <p class="code-place">{failed ? texts.noServer : texts.waitingForCode}</p>
      ) : (
        <>
          <p class="code" role="img" aria-label={pairing.code}>
            {pairing.code.split('').map((sign, at) => (
              <b key={String(at)}>{sign}</b>
            ))}
          </p>
          <div class="how">
            <div
              class="scan"
              // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn here, of nothing but this address.
              dangerouslySetInnerHTML={{
                __html: scannable(`${location.origin}/boards?code=${pairing.code}`),
              }}
            />
            <div>
              <p>{texts.pairHow}</p>
              <p class="address">{address}</p>
              <p class="quiet">{texts.pairScan}</p>
              <p class="quiet">{failed ? texts.noServer : texts.newCodeIn(left(pairing.expiresAt))}</p>
            </div>
          </div>
        </>
      )}
      {linkSpent && <p class="quiet spent">{texts.linkSpent}</p>}
    </main>
  );
}

/** By the server's clock once it is known; a TV's own may be wrong. */
function left(expiresAt: string): string {
  const seconds = Math.min(600, Math.max(0, Math.round((Date.parse(expiresAt) - serverNow()) / 1_000)));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

let drawnCode: { text: string; svg: string } | null = null;

function scannable(text: string): string {
  if (drawnCode?.text !== text) drawnCode = { text, svg: renderSVG(text, { border: 2 }) };
  return drawnCode.svg;
}
