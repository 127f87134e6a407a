import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Gauge, LayoutList, ScrollText } from 'lucide-react';
import { MemoryRouter } from 'react-router';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { useMedia } from '../ui/media.ts';
import { type ScreenLink, ScreenLinks } from './screen-links.tsx';

beforeAll(async () => {
  await import('./screen-items.tsx');
}, 120_000);

vi.mock('../ui/media.ts', () => ({ useMedia: vi.fn() }));
vi.mock('../auth/use-session.ts', () => ({ useUser: () => ({ permissions: [] }) }));

const screens: ScreenLink[] = [
  { path: '/dashboard', glyph: LayoutList, name: 'Repair orders', short: 'Orders', detail: '' },
  { path: '/technicians', glyph: Gauge, name: 'Technician Dashboard', short: 'Workload', detail: '' },
  { path: '/audit', glyph: ScrollText, name: 'Audit', short: 'Audit', detail: '', needs: 'read-audit-trail' },
];

const widths = { clientWidth: 800, scrollWidth: 500 };
beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockImplementation(() => widths.clientWidth);
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(() => widths.scrollWidth);
});

function show(at: string, isPhone: boolean) {
  vi.mocked(useMedia).mockReturnValue(isPhone);
  render(
    <MemoryRouter initialEntries={[at]}>
      <header>
        <ScreenLinks
          screens={screens}
          unlisted={[{ path: '/technicians/:id', name: 'Portal', short: 'Portal' }]}
        />
      </header>
    </MemoryRouter>,
  );
}

const link = (name: string) => screen.getByRole('link', { name });

test('the links show their words, the current one is marked, and what is not permitted is not there', () => {
  Object.assign(widths, { clientWidth: 800, scrollWidth: 500 });
  show('/technicians', false);
  expect(link('Repair orders')).toHaveTextContent('Repair orders');
  expect(link('Technician Dashboard')).toHaveAttribute('aria-current', 'page');
  expect(link('Repair orders')).not.toHaveAttribute('aria-current');
  expect(screen.getAllByRole('link')).toHaveLength(2);
});

test('one technician’s page is not the list of technicians', () => {
  show('/technicians/7', false);
  expect(link('Technician Dashboard')).not.toHaveAttribute('aria-current');
});

test('where the words have no room the icons stay, with the names, and the current screen keeps its word', () => {
  Object.assign(widths, { clientWidth: 300, scrollWidth: 500 });
  show('/dashboard', false);
  expect(link('Repair orders')).toHaveTextContent('Repair orders');
  expect(link('Technician Dashboard')).toHaveTextContent('');
});

test('as many words are shown as have room', () => {
  Object.assign(widths, { clientWidth: 300 });
  // Each word needs 100 px beside the icons.
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(
    () => 150 + 100 * screen.getAllByRole('link').filter(({ textContent }) => textContent !== '').length,
  );
  show('/portal', false);
  expect(link('Repair orders')).toHaveTextContent('Repair orders');
  expect(link('Technician Dashboard')).toHaveTextContent('');
});

test('a phone has one menu of all screens, which says where one is', async () => {
  show('/technicians', true);
  expect(screen.queryByRole('link')).not.toBeInTheDocument();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Workload, other screens' }));
  const items = within(await screen.findByRole('menu')).getAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Repair orders', 'Technician Dashboard']);
  expect(items[1]).toHaveAttribute('aria-current', 'page');
  expect(items[0]).toHaveAttribute('href', '/dashboard');
});

test('a phone names a screen that has no link, too', () => {
  show('/technicians/7', true);
  expect(screen.getByRole('button', { name: 'Portal, other screens' })).toHaveTextContent('Portal');
});
