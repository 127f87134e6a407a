// Changing a repair order: what is sent, and what the user is told of it. The row itself changes by landing.
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/http.ts';
import { type Priority, type Status, updateStatus } from '../api/repair-orders.ts';
import { sentence } from '../i18n/sentence.ts';
import { showToast } from '../ui/toaster.ts';
import { landRo, pictureOf } from './live.ts';
import { displayedStatuses, statusIds } from './order.ts';

/** The priority that follows from a status, set by the server in the same transaction. */
function automaticPriority(status: Status): Priority {
  return status === 'Waiting' ? 'Waiting' : 'Low';
}

/** For what comes without an event number: it can make a known order newer, and vouches for nothing else. */
const UNNUMBERED = -1;

function isStatus(value: string): value is Status {
  return Object.hasOwn(statusIds, value);
}

export interface ChangeStatus {
  /** A change of this order is on its way, whoever on this page began it. */
  updating: boolean;
  change(status: string): void;
}

export function useChangeStatus(roNumber: number): ChangeStatus {
  const client = useQueryClient();
  const { t } = useTranslation();
  const mutationKey = ['change-status', roNumber];
  const updating = useIsMutating({ mutationKey }) > 0;

  const { mutate } = useMutation({
    mutationKey,
    mutationFn: (status: Status) => updateStatus(roNumber, statusIds[status]),
    onSuccess: (changed, status) => {
      // Without an event number nothing had to change, and what is known stands.
      landRo(client, { ...changed, seq: changed.seq ?? UNNUMBERED });
      const priority = automaticPriority(status);
      // Someone may have set another priority in the same moment; what counts is what this answer says.
      if (changed.rows.some((row) => row.priorityName !== priority)) {
        showToast({ tone: 'destructive', text: t('toast.priorityFailed') });
      } else {
        const words = { status: t(`status.${status}`), priority: t(`priority.${priority}`) };
        showToast({ text: t('toast.statusUpdated', words) });
      }
    },
    onError: (failure) => {
      const current = failure instanceof ApiError ? failure.refused?.current : undefined;
      if (current)
        landRo(client, { roNumber, rows: current.rows, version: current.version, seq: UNNUMBERED });
      showToast({ tone: 'destructive', text: t('toast.statusFailed'), detail: sentence(failure, t) });
    },
  });

  const change = (status: string) => {
    const known = pictureOf(client).open.get(roNumber);
    if (!isStatus(status) || !displayedStatuses.some((one) => one === status)) {
      showToast({ tone: 'destructive', text: t('toast.statusInvalid', { status }) });
    } else if (known === undefined) {
      showToast({ tone: 'destructive', text: t('toast.orderUnknown', { number: roNumber }) });
    } else if (known.order.status !== status) {
      mutate(status);
    }
  };
  return { updating, change };
}
