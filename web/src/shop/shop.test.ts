import { expect, test } from 'vitest';
import { readShop } from './shop.ts';

function page(said: string): Document {
  const page = document.implementation.createHTMLDocument();
  const meta = page.createElement('meta');
  meta.name = 'dispatch-shop';
  meta.content = said;
  page.head.append(meta);
  return page;
}

test('the page says what the shop is', () => {
  const said = {
    brandName: 'Northside',
    timeZone: 'America/Chicago',
    supportEmail: 'help@example.com',
    signInWith: 'Northside ID',
    testPage: true,
  };
  expect(readShop(page(JSON.stringify(said)))).toEqual(said);
});

test.each(['', 'no JSON', '[]', '{"signInWith":"  ","testPage":"yes","timeZone":"Nowhere/Land"}'])(
  'what %s does not say is as if nobody had configured it',
  (said) => {
    expect(readShop(page(said))).toEqual({
      brandName: 'the product',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      supportEmail: '',
      signInWith: null,
      testPage: false,
    });
  },
);
