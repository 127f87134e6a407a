import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Input, numberProps } from './form-field.tsx';
import { clearUnreadable, typeUnreadable } from './number-field.fixture.ts';

function Minutes() {
  const [typed, type] = useState('');
  return (
    <>
      <Input aria-label="Minutes" type="number" {...numberProps(typed, type)} />
      <output>{typed}</output>
    </>
  );
}

test('a number field with an unreadable text is not an empty one', () => {
  render(<Minutes />);
  const field = screen.getByLabelText('Minutes');
  const typed = screen.getByRole('status');
  // Nothing was typed before: to the browser the value stays the same.
  typeUnreadable(field);
  expect(Number(typed.textContent)).toBeNaN();
  clearUnreadable(field);
  expect(typed).toBeEmptyDOMElement();
  fireEvent.input(field, { target: { value: '15' } });
  expect(typed).toHaveTextContent('15');
  typeUnreadable(field);
  expect(Number(typed.textContent)).toBeNaN();
  clearUnreadable(field);
  expect(typed).toBeEmptyDOMElement();
});

test('a number field keeps the text that the browser cannot read', () => {
  let typed = '';
  const { onInput } = numberProps(typed, (text) => {
    typed = text;
  });
  const field = document.createElement('input');
  Object.defineProperty(field, 'validity', { value: { badInput: true } });
  onInput({ currentTarget: field });
  expect(typed).not.toBe('');
  // With any other value the browser would empty the field.
  expect(numberProps(typed, () => undefined).value).toBe('');
  expect(numberProps('15', () => undefined).value).toBe('15');
});
