import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { BrowserRouter, useLocation } from 'react-router';
import { expect, test } from 'vitest';
import { useSetParam } from './address-params.ts';
import { useOpenDetails, useOpenOrder } from './open-details.ts';

/** `onSearch`: called when a search was rendered, before what the desk itself does then. */
function Desk({ onSearch }: { onSearch(search: string): void }) {
  const [order] = useOpenOrder();
  const open = useOpenDetails();
  const setParam = useSetParam();
  return (
    <>
      <Watched onSearch={onSearch} />
      <output>{order}</output>
      <button type="button" onClick={() => open(4389)}>
        open
      </button>
      <button type="button" onClick={() => setParam('q', 'smith')}>
        search
      </button>
    </>
  );
}

function Watched({ onSearch }: { onSearch(search: string): void }) {
  const { search } = useLocation();
  useEffect(() => onSearch(search), [search, onSearch]);
  return null;
}

test('the search stays when Back comes while its address is still being rendered', async () => {
  history.replaceState({ idx: 0 }, '', '/');
  // The browser changes the address first, and what is rendered meanwhile runs its effects before Back is told.
  const back = (search: string) => {
    if (search.includes('q=smith') && search.includes('ro=')) history.replaceState({ idx: 0 }, '', '/');
  };
  render(
    <BrowserRouter>
      <Desk onSearch={back} />
    </BrowserRouter>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'open' }));
  expect(screen.getByRole('status')).toHaveTextContent('4389');
  await user.click(screen.getByRole('button', { name: 'search' }));
  await waitFor(() => expect(location.search).toBe(''));
  window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  await waitFor(() => expect(location.search).toBe('?q=smith'));
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});
