// The status that an order is displayed with, by the server's rules: for the desk, the portal and an order's history.
import { defaultDisplayedStatus, statuses } from '../api/rules.ts';
import type { components } from '../api/schema.ts';

type DisplayedStatus = components['schemas']['DisplayedStatus'];

interface OrderStatuses {
  /** The desk's; a newer server may have one that this build does not know. */
  appCustomerStatus: string | null;
  /** The dealer system's, as it came. */
  customerStatus: string;
}

const displayedAs: ReadonlyMap<string, DisplayedStatus> = new Map(
  statuses.flatMap(({ name, displayed }) =>
    [name, name.toLowerCase()].map((one) => [one, displayed] as const),
  ),
);

/** What Rust trims; JavaScript's trim() also takes a byte order mark. */
const OUTER_SPACE = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** The desk's status, else the dealer system's. */
export function displayedStatus({ appCustomerStatus, customerStatus }: OrderStatuses): DisplayedStatus {
  const name = appCustomerStatus ?? customerStatus;
  // As the server writes it, nearly always.
  return displayedAs.get(name) ?? displayedAs.get(plain(name)) ?? defaultDisplayedStatus;
}

function plain(name: string): string {
  return name.replace(OUTER_SPACE, '').toLowerCase();
}
