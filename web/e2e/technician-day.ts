// The cars of a technician's day, and who works on them.
import type { Browser } from '@playwright/test';
import { TECHNICIAN } from './bay.ts';
import { clearClock, tapAgo } from './clock-records.ts';
import { type Desk, expect, OWNER, openDesk } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import type { Phone } from './phone.ts';
import type { Entries } from './phone-interview.ts';
import { Api, orderFile } from './server-api.ts';

const COLLEAGUE = 'tech2@example.com';
/** Imported after the shop began to move, which touches only the orders that it knows. */
const FIRST = 987_601;
export const [BRAKES, RATTLE, LEAK, NO_START] = [FIRST, FIRST + 1, FIRST + 2, FIRST + 3] as const;
/** These come while the phone is in hand. */
export const [ACCEPTED, HANDED_BACK] = [FIRST + 11, FIRST + 12] as const;
export const CARS = [...Array(12)].map((_, place) => FIRST + place);
export const IN_THE_MORNING = CARS.slice(0, 11);
/** The jobs that are finished in this day, and the hours that they are sold for. */
export const FINISHED = [
  { roNumber: BRAKES, jobNumber: 1, sold: 1.5 },
  { roNumber: BRAKES, jobNumber: 2, sold: 0.4 },
  { roNumber: RATTLE, jobNumber: 1, sold: 2 },
  { roNumber: LEAK, jobNumber: 1, sold: 3.4 },
];

export const NOTED: Entries = {
  cause: 'Front pads worn down to 2 mm, rotors scored',
  notes: 'Measured the rotors, replaced front pads and rotors, torqued the wheels to 108 Nm',
};
export const NOTED_LATER = 'Sway bar link replaced, nothing else is loose';

export const STORIES: readonly (readonly [order: number, entries: Entries | null])[] = [
  [BRAKES, null],
  [
    RATTLE,
    {
      cause: 'Left front sway bar link worn, ball joint has play',
      notes: 'Checked the suspension on the lift, replaced the link, torqued it to 74 Nm',
    },
  ],
  [
    LEAK,
    {
      cause: 'Valve cover gasket hardened and seeping at the rear',
      notes: 'Cleaned the engine, added dye, found the leak, replaced the valve cover gasket',
    },
  ],
  [
    NO_START,
    {
      cause: 'Battery has one dead cell',
      notes: 'Tested the battery at 9.4 V, replaced the battery, cleaned the terminals',
    },
  ],
];

export interface Day {
  dispatch: Dispatch;
  phone: Phone;
  desk: Desk;
  owner: Api;
  technician: number;
  colleague: number;
}

function job(jobNumber: number, operationCode: string, concern: string, soldHours: number) {
  return { jobNumber, concern, operations: [{ operationCode, soldHours }] };
}

function importCars(dispatch: Dispatch): void {
  const jobs: Readonly<Record<number, object[]>> = {
    [BRAKES]: [
      job(1, 'BRKF', 'Grinds from the front when braking', 1.5),
      job(2, 'ROT', 'Rotate the tires', 0.4),
    ],
    [RATTLE]: [job(1, 'SUSP', 'Rattles from the front left over bumps', 2)],
    [LEAK]: [job(1, 'LEAK', 'Oil spots below the engine in the morning', 3.4)],
    [NO_START]: [job(1, 'ELEC', 'Does not start after a night outside', 1.2)],
    [ACCEPTED]: [job(1, 'ACREC', 'The air conditioning blows warm', 1.8)],
    [HANDED_BACK]: [job(1, 'TRNS', 'Shifts hard into second gear', 4)],
  };
  const cars = [...CARS, HANDED_BACK].map((repairOrderNumber) => ({
    repairOrderNumber,
    jobs: jobs[repairOrderNumber] ?? [job(1, 'INSP', 'See what it needs', 0.5)],
  }));
  dispatch.importFile('cars.json', orderFile(...cars));
}

async function technicianOf(dispatch: Dispatch, email: string): Promise<number> {
  const api = await Api.signIn(dispatch.url, email);
  return (await api.get<{ technicianId: number }>('/api/auth/me')).technicianId;
}

/** Eleven cars for the technician, two of them shared with a colleague, and a clock that runs since yesterday. */
async function prepare(dispatch: Dispatch) {
  importCars(dispatch);
  const owner = await Api.signIn(dispatch.url, OWNER);
  const technician = await technicianOf(dispatch, TECHNICIAN);
  const colleague = await technicianOf(dispatch, COLLEAGUE);
  for (const one of [technician, colleague]) await clearClock(owner, one);
  const give = (idTechnician: number, orders: readonly number[]) =>
    owner.post('/api/repair-orders/technicians/dispatch', {
      idTechnician,
      data: orders.map((repairOrderNumber) => ({ repairOrderNumber })),
    });
  await give(technician, IN_THE_MORNING);
  for (const repairOrderNumber of [RATTLE, LEAK]) {
    await owner.post('/api/repair-orders/technicians/assign', { repairOrderNumber, idTechnician: colleague });
  }
  await tapAgo(owner, technician, 14 * 60, { action: 'start', roNumber: NO_START, jobNumber: 1 });
  return { owner, technician, colleague };
}

export async function beginDay(
  browser: Browser,
  dispatch: Dispatch,
  openPhone: () => Promise<Phone>,
): Promise<Day> {
  const prepared = await prepare(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  const phone = await openPhone();
  expect(phone.technician).toBe(prepared.technician);
  return { dispatch, phone, desk, ...prepared };
}
