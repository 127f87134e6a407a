import { expect, test } from 'vitest';
import { readShop } from './shop.ts';

function page(settings: string): Document {
  const page = document.implementation.createHTMLDocument();
  const meta = page.createElement('meta');
  meta.name = 'dispatch-shop';
  meta.content = settings;
  page.head.append(meta);
  return page;
}

test('the page contains the shop’s settings', () => {
  const settings = {
    brandName: 'Northside',
    timeZone: 'America/Chicago',
    supportEmail: 'help@example.com',
    signInWith: 'Northside ID',
    testPage: true,
    awaitsSetUp: true,
  };
  expect(readShop(page(JSON.stringify(settings)))).toEqual(settings);
});

test.each(['', 'no JSON', '[]', '{"signInWith":"  ","testPage":"yes","timeZone":"Nowhere/Land"}'])(
  'a setting that %s lacks counts as not configured',
  (settings) => {
    expect(readShop(page(settings))).toEqual({
      brandName: 'the product',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      supportEmail: '',
      signInWith: null,
      testPage: false,
      awaitsSetUp: false,
    });
  },
);
