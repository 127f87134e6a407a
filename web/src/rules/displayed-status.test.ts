import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { displayedStatus } from './displayed-status.ts';

// The server's test reads the same file.
const file = join(import.meta.dirname, '../../../actors/src/repair_order/displayed_statuses.json');
const vectors: [string | null, string, string][] = JSON.parse(readFileSync(file, 'utf8'));

test.each(vectors)(
  '%j from the desk and %j from the dealer system is displayed as the server has it: %s',
  (appCustomerStatus, customerStatus, displayed) => {
    expect(displayedStatus({ appCustomerStatus, customerStatus })).toBe(displayed);
  },
);

test('a status of the desk that a newer server has is not replaced by the dealer system’s', () => {
  expect(displayedStatus({ appCustomerStatus: 'Towed', customerStatus: 'Waiting' })).toBe('Drop');
});
