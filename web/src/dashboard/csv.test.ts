import i18next from 'i18next';
import { describe, expect, test } from 'vitest';
import type { Row } from '../api/repair-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { defaultLayout, shownColumns } from './column-layout.ts';
import { fileName, isoTime, toCsv } from './csv.ts';

const { t } = i18next;
const CHICAGO = 'America/Chicago';

function csvLines(...changes: Partial<Row>[]): string[] {
  const orders = changes.map((one, place) => toRepairOrder([row(place + 1, one)]));
  return toCsv(orders, shownColumns(defaultLayout), t, CHICAGO).split('\r\n');
}

test('the file begins with a byte order mark, names its fields, and ends every line with CRLF', () => {
  const text = toCsv(
    [toRepairOrder([row(4389, { tagNumber: 'T118' })])],
    shownColumns(defaultLayout),
    t,
    CHICAGO,
  );
  expect(text).toBe(
    '\uFEFF"RO number","Tag","Customer","Vehicle","VIN","Status","Priority","Technicians","ETL technicians","Advisor","Jobs",' +
      '"Opened","Due","Promised"\r\n' +
      '"4389","T118","Smith, Jo","2021 Honda Accord EX","1HGCM82633A004352","Drop","Low","","","Dana Whitfield","",' +
      '"2026-03-02T08:00:00-06:00","2026-03-02T11:00:00-06:00",""\r\n',
  );
});

test('the file has only the shown columns, in their order', () => {
  const text = toCsv([toRepairOrder([row(1)])], ['details', 'priority', 'vehicle'], t, CHICAGO);
  expect(text.slice(1).split('\r\n')[0]).toBe('"RO number","Tag","Customer","Priority","Vehicle","VIN"');
});

test('quotes, commas and line breaks are quoted', () => {
  const [, line = ''] = csvLines({ vehicle: 'Ford "Super\nDuty", long' });
  expect(line).toContain(',"Ford ""Super\nDuty"", long",');
});

describe('a value that starts like a formula becomes text', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\uff1d1'])('%j', (vehicle) => {
    const [, line = ''] = csvLines({ vehicle });
    expect(line).toContain(`"'${vehicle}"`);
  });

  // What is between two separators is a cell to a spreadsheet that separates there.
  test.each([',', ';', '\t', '|', '\r', '\n'])('after any locale’s separator: %j', (separator) => {
    for (const formula of ['=1', ' =1', '+1', '"=1"', '@a']) {
      const text = toCsv(
        [toRepairOrder([row(1, { vehicle: `a${separator}${formula}` })])],
        ['vehicle'],
        t,
        CHICAGO,
      );
      const cells = text.split(separator).map((cell) => cell.replace(/^[\s"]+/, ''));
      expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
    }
  });

  test('quoted, too', () => {
    const [, line = ''] = csvLines({ vehicle: '=HYPERLINK("http://x","y")' });
    expect(line).toContain(`,"'=HYPERLINK(""http://x"",""y"")",`);
  });
});

test('times carry the shop’s UTC offset of that moment', () => {
  expect(isoTime(Date.parse('2026-07-02T14:00:00Z'), CHICAGO)).toBe('2026-07-02T09:00:00-05:00');
  expect(isoTime(Date.parse('2026-03-02T23:30:00Z'), 'Asia/Kolkata')).toBe('2026-03-03T05:00:00+05:30');
  expect(isoTime(Date.parse('2026-03-02T00:00:00Z'), 'UTC')).toMatch(/^2026-03-02T00:00:00(Z|\+00:00)$/);
});

test('the file is named after the tab and the shop’s day', () => {
  expect(fileName('unassigned', Date.parse('2026-03-03T01:00:00Z'), CHICAGO)).toBe(
    'repair-orders-unassigned-2026-03-02.csv',
  );
});
