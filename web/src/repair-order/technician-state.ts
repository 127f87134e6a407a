// What a technician's clock says of them, in the same words on every screen where somebody chooses or plans: free, on a
// job, off the clock.
import type { Workload } from '../api/technicians.ts';
import { capitalised } from '../i18n/sentence-case.ts';
import type { useTranslation } from '../i18n/use-translation.ts';

export type TechnicianState = Workload['clock']['state'];

type Translate = ReturnType<typeof useTranslation>['t'];

/** Within a sentence: 'free'. */
export function stateText(state: TechnicianState, t: Translate): string {
  return t(`technicianState.${state}`);
}

/** Alone or first: 'Free'. */
export function stateLabel(state: TechnicianState, t: Translate, locale: string): string {
  return capitalised(stateText(state, t), locale);
}
