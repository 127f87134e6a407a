import { act, render, renderHook, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { changeLanguage, i18n } from './i18n.ts';
import { useTranslation } from './use-translation.ts';

afterEach(() => act(() => changeLanguage('en')));

const renderTranslation = () => renderHook(useTranslation).result.current;

test('a text is what i18next says, with and without values', () => {
  const { t } = renderTranslation();
  expect(t('login.submit')).toBe('Sign in');
  expect(t('order.open', { number: '100 $& {{number}}' })).toBe(
    i18n.t('order.open', { number: '100 $& {{number}}' }),
  );
  expect(t('tab.orders', { count: 1 })).toBe(i18n.t('tab.orders', { count: 1 }));
  expect(t('tab.orders', { count: 2 })).toBe(i18n.t('tab.orders', { count: 2 }));
});

test('another language renders again, with other texts and another t', async () => {
  function Word() {
    const { t, language } = useTranslation();
    return <p lang={language}>{t('status.Drop')}</p>;
  }
  const before = renderTranslation().t;
  render(<Word />);
  expect(screen.getByText('Drop')).toHaveAttribute('lang', 'en');
  await act(() => changeLanguage('de'));
  expect(screen.getByText('Abgabe')).toHaveAttribute('lang', 'de');
  expect(renderTranslation().t).not.toBe(before);
});

test('when two languages are chosen in a row the last one stays', async () => {
  await act(() => Promise.all([changeLanguage('es'), changeLanguage('en')]));
  expect(renderTranslation().language).toBe('en');
  expect(localStorage.getItem('dispatch.language')).toBe('en');
});
