import { expect, test } from 'vitest';
import { toNameCase } from './name-case.ts';

test.each([
  ["O'BRIEN-SMITH,MARY A", "O'Brien-Smith, Mary A"],
  ['josé fernández', 'José Fernández'],
  ['MÜLLER, JÜRGEN', 'Müller, Jürgen'],
  ['JOE’S GARAGE LLC', 'Joe’s Garage LLC'],
  ['DeShawn McDonald', 'DeShawn McDonald'],
  ['ZAMORA TRUCKING S. DE R.L.', 'Zamora Trucking S. De R.L.'],
  ['USED VEHICLE INVENTORY U7700A', 'Used Vehicle Inventory U7700A'],
  ['张伟', '张伟'],
  ['  JO   SMITH ', 'Jo Smith'],
  ['', ''],
])('the customer %j is shown as %j', (name, shown) => {
  expect(toNameCase(name)).toBe(shown);
});
