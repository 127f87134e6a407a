// What a browser has of a number field in which its user types a text that is no number: jsdom takes none.
import { fireEvent } from '@testing-library/react';

/** The field's value is '', as that of an empty one. */
export function typeUnreadable(field: HTMLElement): void {
  setBadInput(field, true);
}

export function clearUnreadable(field: HTMLElement): void {
  setBadInput(field, false);
}

function setBadInput(field: HTMLElement, badInput: boolean): void {
  Object.defineProperty(field, 'validity', { configurable: true, value: { badInput } });
  fireEvent.input(field, { target: { value: '' } });
}
