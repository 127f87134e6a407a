import { describe, expect, test } from 'vitest';
import { ETA_AFTER_MS, plainOrder, toRepairOrder } from './order.ts';
import { row } from './rows.fixture.ts';

describe('rows of one order are merged', () => {
  test('nobody assigned', () => {
    const order = toRepairOrder([row(1)]);
    expect(order).toMatchObject({
      technician: '',
      allRegularTechs: '',
      hasEtlTech: false,
      etlTechnician: '',
    });
  });

  test('several technicians of both kinds, each named once', () => {
    const order = toRepairOrder([
      row(1, { regularIdTechnician: 3, regularTechFullName: 'Ana Ruiz' }),
      row(1, { regularIdTechnician: 4, regularTechFullName: 'Bo Li' }),
      row(1, { regularIdTechnician: 3, regularTechFullName: 'Ana Ruiz' }),
      row(1, { regularIdTechnician: 5, regularTechFullName: 'Cy Young' }),
      row(1, { ETLIdTechnician: 8, ETLTechFullName: 'Di Marco', source: 'ETL' }),
      row(1, { ETLIdTechnician: 9, ETLTechFullName: 'Ed Okafor', source: 'ETL' }),
    ]);
    expect(order).toMatchObject({
      technician: 'Ana Ruiz (+2)',
      allRegularTechs: 'Ana Ruiz, Bo Li, Cy Young',
      hasEtlTech: true,
      etlTechnician: 'Di Marco (+1)',
      allEtlTechs: 'Di Marco, Ed Okafor',
    });
  });

  test('two technicians with the same name stay separate', () => {
    const order = toRepairOrder([
      row(1, { regularIdTechnician: 3, regularTechFullName: 'Jo Smith' }),
      row(1, { regularIdTechnician: 4, regularTechFullName: 'Jo Smith' }),
    ]);
    expect(order.technician).toBe('Jo Smith (+1)');
  });

  test('jobs are sorted by number, described by operation or concern', () => {
    const order = toRepairOrder([
      row(1, {
        jobs: [
          { jobNumber: 2, concern: 'Squeaks', operations: [] },
          {
            jobNumber: 1,
            concern: '',
            operations: [{ operationCode: ' LOF ', operationDesciption: 'Oil', soldHours: 0.3 }],
          },
        ],
      }),
    ]);
    expect(order.jobs).toEqual([
      { jobNumber: 1, opcode: 'LOF', description: 'Oil', concern: '', soldHours: 0.3 },
      { jobNumber: 2, opcode: '', description: 'Squeaks', concern: 'Squeaks', soldHours: null },
    ]);
  });

  test('the ETA is three hours after opening', () => {
    const order = toRepairOrder([row(1, { createDateTime: '2026-03-02T14:00:00Z' })]);
    expect(order.eta - order.openTime).toBe(10_800_000);
    expect(ETA_AFTER_MS).toBe(10_800_000);
  });

  test('what is stored of an order has everything that is read when it is asked for', () => {
    const order = toRepairOrder([
      row(1, { customer: 'SMITH, JO', regularIdTechnician: 3, regularTechFullName: 'Ana Ruiz' }),
      row(1, { ETLIdTechnician: 8, ETLTechFullName: 'Di Marco', source: 'ETL' }),
    ]);
    const stored = structuredClone(plainOrder(order));
    expect(stored).toMatchObject({
      customer: 'Smith, Jo',
      allRegularTechs: 'Ana Ruiz',
      etlTechnician: 'Di Marco',
      allEtlTechs: 'Di Marco',
      jobs: order.jobs,
    });
    expect(Object.keys(stored)).toHaveLength(23);
  });

  test('the RO number is shown as the DMS writes it', () => {
    expect(toRepairOrder([row(123, { displayNumber: '00A123' })]).roNumber).toBe('00A123');
    expect(toRepairOrder([row(123)]).roNumber).toBe('123');
  });
});
