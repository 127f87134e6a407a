import { useTranslation } from '../i18n/use-translation.ts';
import { useOthersAt } from './presence.ts';

/** Initials shown before '+n'. */
const MAX_SHOWN = 2;

/** Who else has the order open: initials in a row, the names in the title and for a screen reader. */
export function PresenceIndicator({ roNumber }: { roNumber: number }) {
  const { t } = useTranslation();
  const others = useOthersAt(roNumber);
  if (others.length === 0) return null;
  const names = others.map((person) => person.name).join(', ');
  const more = others.length - MAX_SHOWN;
  return (
    <span
      role="img"
      aria-label={t('presence.here', { names })}
      title={t('presence.here', { names })}
      className="inline-flex items-center align-middle"
    >
      {others.slice(0, MAX_SHOWN).map((person) => (
        <span key={person.uid} className={chipClasses}>
          {initials(person.name)}
        </span>
      ))}
      {more > 0 && <span className={chipClasses}>+{more}</span>}
    </span>
  );
}

const chipClasses =
  '-mr-1 grid h-5 min-w-5 place-items-center rounded-full border border-raised bg-accent px-1 text-[0.625rem] leading-none font-semibold text-on-accent';

/** 'Olivia Owens' is OO, 'Cher' is C. */
function initials(name: string): string {
  const nameParts = name.trim().split(/\s+/);
  const first = [...(nameParts[0] ?? '')][0] ?? '?';
  const last = nameParts.length > 1 ? ([...(nameParts.at(-1) ?? '')][0] ?? '') : '';
  return (first + last).toUpperCase();
}

/** The same in a sentence, at the head of a dialog. */
export function PresenceLine({ roNumber }: { roNumber: number }) {
  const { t } = useTranslation();
  const others = useOthersAt(roNumber);
  const names = others.map((person) => person.name).join(', ');
  return (
    <p
      role="status"
      className={others.length === 0 ? 'sr-only' : 'mb-2 flex items-center gap-2.5 text-12 text-quiet'}
    >
      {others.length > 0 && (
        <>
          <span aria-hidden className="inline-flex">
            {others.slice(0, MAX_SHOWN).map((person) => (
              <span key={person.uid} className={chipClasses}>
                {initials(person.name)}
              </span>
            ))}
          </span>
          {t('presence.alsoHere', { names, count: others.length })}
        </>
      )}
    </p>
  );
}
