import { expect, test } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import { notificationTexts } from '../offline/notification-texts.ts';
import { dataOf, parsePushMessage, toNotification, withoutOrders } from './push-notifications.ts';

const assigned = {
  type: 'TECH_ASSIGNED' as const,
  technicianId: 5,
  roNumber: 104217,
  displayNumber: '104217-A',
  vehicle: '2019 Honda Accord',
  status: 'Drop' as const,
  priority: 'High' as const,
  count: 1,
  roNumbers: [104217],
  url: '/technicians/5',
  receipt: 'token',
};
const texts = notificationTexts(i18n.t, 'en');

test('an order is named by its number and its car', () => {
  const { title, options } = toNotification(assigned, texts);
  expect(title).toBe('RO 104217-A is yours');
  expect(options).toMatchObject({
    body: '2019 Honda Accord · Drop · High',
    tag: 'assignment-104217',
    lang: 'en',
    data: { roNumbers: [104217], technicianId: 5, url: '/technicians/5' },
  });
});

test('a priority is named where its status has several', () => {
  const waiting = { ...assigned, status: 'Waiting' as const, priority: 'Waiting' as const };
  expect(toNotification(waiting, texts).options.body).toBe('2019 Honda Accord · Waiting');
});

test('several assignments at once are one notification with their count', () => {
  const { title, options } = toNotification({ ...assigned, count: 3, roNumbers: [1, 2, 104217] }, texts);
  expect(title).toBe('3 ROs are yours');
  expect(options).toMatchObject({ body: '1, 2, 104217', tag: 'assignment-several-5' });
});

test('without texts the number and the car are enough', () => {
  const { title, options } = toNotification(assigned, undefined);
  expect(title).toBe('RO 104217-A');
  expect(options.body).toBe('2019 Honda Accord · Drop · High');
});

test('a removed order is dropped from a notification about several, and closes one about it alone', () => {
  const shown = { roNumbers: [1, 2, 3], technicianId: 5, url: '/technicians/5' };
  expect(withoutOrders(shown, [2], texts)).toMatchObject({
    title: '2 ROs are yours',
    options: { body: '1, 3', silent: true, renotify: false, data: { roNumbers: [1, 3] } },
  });
  expect(withoutOrders(shown, [1, 3], texts)?.title).toBe('RO 2 is yours');
  expect(withoutOrders(shown, [3, 2, 1], texts)).toBeNull();
});

test('a notification shown by the page is recognised by its tag', () => {
  expect(dataOf({ tag: 'assignment-7', data: { url: '/technicians/5' } })).toEqual({
    roNumbers: [7],
    technicianId: 0,
    url: '/technicians/5',
  });
});

test.each(['', 'null', '{}', '[1]', '{"type":"OTHER","roNumber":7}', '{"type":"TECH_ASSIGNED"}', 'not json'])(
  '%j is not a push message',
  (text) => {
    expect(parsePushMessage(text)).toBeNull();
  },
);
