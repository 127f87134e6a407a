// The first script of a page, a small one of its own: what it asks the server for is on its way while the page's script
// loads.
import { askEarly } from './api/early-answers.ts';
import { startPath } from './portal/portal-access.ts';

const DESK = '/dashboard';
const { pathname } = location;

askEarly((user) => (pathname === '/' ? startPath(user) : pathname) === DESK);
