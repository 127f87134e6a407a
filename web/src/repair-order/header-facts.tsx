// The header of an order's details dialog.
import type { ReactNode } from 'react';
import type { Details } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { toNameCase } from '../rules/name-case.ts';
import { CopyButton } from './copy-button.tsx';

export type Header = Pick<Details, 'vehicle' | 'vehicleVIN' | 'tagNumber' | 'customer' | 'advisor'>;

/** The first facts of the list. */
export function HeaderFacts({ details }: { details: Header }) {
  const { t } = useTranslation();
  return (
    <>
      <HeaderFact name={t('details.vehicle')}>{details.vehicle}</HeaderFact>
      <HeaderFact name={t('details.vin')}>
        <span className="font-mono">{details.vehicleVIN}</span>
        {details.vehicleVIN !== '' && (
          <CopyButton
            text={details.vehicleVIN}
            label={t('order.copyVin', { vin: details.vehicleVIN })}
            copied={t('toast.vinCopied')}
            notCopied={t('toast.vinNotCopied')}
          />
        )}
      </HeaderFact>
      {details.tagNumber !== undefined && (
        <HeaderFact name={t('field.tagNumber')}>
          <span className="font-mono">{details.tagNumber}</span>
        </HeaderFact>
      )}
      <HeaderFact name={t('details.customer')}>{toNameCase(details.customer)}</HeaderFact>
      <HeaderFact name={t('details.advisor')}>{details.advisor}</HeaderFact>
    </>
  );
}

export function HeaderFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 break-words normal-nums">{children}</dd>
    </>
  );
}
