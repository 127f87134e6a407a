// Whether the controls of an order are Tab stops: on a card they are; in the table the row is, and its keys lead to
// its controls. Pointers and screen readers reach them either way.
import { createContext, useContext } from 'react';

/** The `tabIndex` of each control. */
export const RowControls = createContext<-1 | undefined>(undefined);

export function useControlTabIndex(): -1 | undefined {
  return useContext(RowControls);
}
