// The fields of a warranty claim, those that are known.
import type { TFunction } from 'i18next';
import type { StoryClaim } from '../api/tech-stories.ts';
import { useTranslation } from '../i18n/use-translation.ts';

/** A field's name and what stands in it. `number`: it is read letter by letter, as a VIN is. */
export type ClaimRow = readonly [label: string, text: string, kind?: 'number'];

/** 'SUSP Diagnose suspension noise'; empty where neither is known. */
export function operationText(code: string, description: string): string {
  return [code.trim(), description.trim()].filter((text) => text !== '').join(' ');
}

export const operationOf = (claim: StoryClaim) =>
  operationText(claim.operationCode, claim.operationDescription);

/** What else an interview entered; a text is empty where nothing was. */
export function claimRows(claim: StoryClaim, t: TFunction): ClaimRow[] {
  return [
    [t('story.claim.causalPart'), claim.causalPart],
    [t('story.claim.partNumbers'), claim.partNumbers.join(', ')],
    [t('story.claim.troubleCodes'), claim.troubleCodes.join(', ')],
    [t('story.claim.measurements'), claim.measurements.join('; ')],
    [t('story.claim.bulletin'), claim.bulletin],
    [t('story.claim.mileage'), claim.mileage],
  ];
}

export const isFilled = ([, text]: ClaimRow) => text !== '';

export function ClaimFields({ claim }: { claim: StoryClaim }) {
  const { t } = useTranslation();
  const operation: ClaimRow = [t('story.claim.operation'), operationOf(claim)];
  const rows = [operation, ...claimRows(claim, t)].filter(isFilled);
  if (rows.length === 0) return null;
  return (
    <section aria-label={t('story.claim.title')}>
      <h4 className="mb-1.5 text-13 font-medium">{t('story.claim.title')}</h4>
      <ClaimTable rows={rows} />
    </section>
  );
}

export function ClaimTable({ rows }: { rows: readonly ClaimRow[] }) {
  return (
    // On a phone the names leave room for a number in one piece.
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-1.5 rounded-lg bg-sunken px-3.5 py-3 text-13 max-sm:grid-cols-[minmax(5rem,7.5rem)_minmax(min-content,1fr)]">
      {rows.map(([label, text, kind]) => (
        <div key={label} className="contents">
          <dt className="text-quiet">{label}</dt>
          <dd className={kind === 'number' ? 'font-mono whitespace-nowrap' : 'min-w-0 wrap-anywhere'}>
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
