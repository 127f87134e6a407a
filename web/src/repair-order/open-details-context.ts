// What opens an order's details on the screen that is shown.
import { createContext } from 'react';

/** Opens an order's details. Null: the screen has none, and a link is followed. */
export const OpenDetailsContext = createContext<((key: number) => void) | null>(null);
