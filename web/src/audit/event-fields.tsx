// The fields of an event, in the table's cells and on a phone's cards alike.
import { Check, ShieldX } from 'lucide-react';
import type { AuditEvent } from '../api/audit.ts';
import { screensEn } from '../i18n/screens.en.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { describeDetail } from './event-details.ts';

type KnownReason = keyof typeof screensEn.audit.reason;

function isKnownReason(reason: string): reason is KnownReason {
  return Object.hasOwn(screensEn.audit.reason, reason);
}

/** To the minute, by the shop's clock. */
export function EventTime({ event }: { event: AuditEvent }) {
  const clock = useClock();
  const at = Date.parse(event.at);
  return (
    <time dateTime={event.at} title={clock.full(at)} className="text-13 whitespace-nowrap">
      {clock.dated(at)}
    </time>
  );
}

/** The event in words, and its outcome as a glyph, a word and a colour. */
export function EventDescription({ event }: { event: AuditEvent }) {
  const { t } = useTranslation();
  const { kind, outcome, reason, count } = event;
  const isRefused = outcome === 'refused';
  const Glyph = isRefused ? ShieldX : Check;
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <Glyph
        aria-hidden
        className={`size-3.5 shrink-0 self-center ${isRefused ? 'text-stale' : 'text-quiet'}`}
      />
      <span className="min-w-0">
        <span className="text-13 font-medium">{t(`audit.kind.${kind}`)}</span>
        {isRefused && (
          <span className="text-13 text-stale">
            {' · '}
            {reason === null
              ? t('audit.outcome.refused')
              : isKnownReason(reason)
                ? t(`audit.reason.${reason}`)
                : reason}
          </span>
        )}
        {count > 1 && (
          <span className="text-13 text-quiet">
            {' · '}
            {t('audit.times', { number: count })}
          </span>
        )}
      </span>
    </span>
  );
}

/** A person's email or another's name; else what kind of actor it is. */
export function EventActor({ event }: { event: AuditEvent }) {
  const { t } = useTranslation();
  const { actor, who, whoId } = event;
  if (who === null) return <span className="text-13 text-quiet">{t(`audit.actor.${actor}`)}</span>;
  return (
    <span title={whoId ?? undefined} className="text-13 wrap-anywhere">
      {who}
    </span>
  );
}

/** The target of the event, where it is not the actor, and the details. */
export function EventDetails({ event }: { event: AuditEvent }) {
  const { t } = useTranslation();
  const { kind, who, whoId, about, aboutId } = event;
  const detail = describeDetail(event, t);
  const isSelf = about === who && aboutId === whoId;
  // The id only tells two sets of options apart, and means nothing to the reader.
  const name = isSelf || kind === 'configuration-changed' ? null : (about ?? aboutId);
  if (name === null && detail === null) return <span className="text-13 text-quiet">–</span>;
  return (
    <>
      {name !== null && (
        <span title={aboutId ?? undefined} className="text-13 wrap-anywhere">
          {name}
        </span>
      )}
      {detail !== null && <span className="block text-12 wrap-anywhere text-quiet">{detail}</span>}
    </>
  );
}

export function EventAddress({ event }: { event: AuditEvent }) {
  return <span className="font-mono text-12 wrap-anywhere">{event.address ?? '–'}</span>;
}
