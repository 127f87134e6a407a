import { useSelector } from '@tanstack/react-store';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, Link } from 'react-router';
import { expect, test } from 'vitest';
import { SEARCH_DEBOUNCE_MS } from './search.ts';
import { type ListSearch, useSearch } from './view-params.ts';

function Field() {
  const { typed, type, searched } = useSearch();
  return (
    <>
      <input aria-label="Search" value={useSelector(typed)} onChange={(event) => type(event.target.value)} />
      <output>{searched}</output>
      <Link to="/?q=Ann+Lee">Ann</Link>
    </>
  );
}

const pause = () => new Promise((resolve) => setTimeout(resolve, SEARCH_DEBOUNCE_MS * 2));

test('the search field follows the address and keeps the typed text', async () => {
  render(
    <BrowserRouter>
      <Field />
    </BrowserRouter>,
  );
  const field = screen.getByRole('textbox', { name: 'Search' });
  const user = userEvent.setup();
  await user.type(field, 'joe');
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('joe'));
  await waitFor(() => expect(location.search).toBe('?q=joe'));
  await user.click(screen.getByRole('link', { name: 'Ann' }));
  expect(field).toHaveValue('Ann Lee');
  await pause();
  expect(field).toHaveValue('Ann Lee');
  expect(screen.getByRole('status')).toHaveTextContent('Ann Lee');
  await user.type(field, 'x');
  await pause();
  expect(field).toHaveValue('Ann Leex');
  expect(screen.getByRole('status')).toHaveTextContent('Ann Leex');
});

test('what was just typed stays when Back changes the address, and comes into it', async () => {
  history.replaceState(null, '', '/?q=old');
  history.pushState(null, '', '/?q=new');
  render(
    <BrowserRouter>
      <Field />
    </BrowserRouter>,
  );
  const field = screen.getByRole('textbox', { name: 'Search' });
  fireEvent.change(field, { target: { value: 'newer' } });
  // Before the search begins, however slow the machine is.
  const travelled = new Promise((done) => addEventListener('popstate', done, { once: true }));
  history.back();
  await travelled;
  expect(location.search).toBe('?q=old');
  expect(field).toHaveValue('newer');
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('newer'));
  await waitFor(() => expect(location.search).toBe('?q=newer'));
  expect(field).toHaveValue('newer');
  history.forward();
  await waitFor(() => expect(location.search).toBe('?q=new'));
  await waitFor(() => expect(field).toHaveValue('new'));
});

test('a key in the search box renders the box alone', async () => {
  let renders = 0;
  function Box({ search: { typed, type } }: { search: ListSearch }) {
    return (
      <input aria-label="Search" value={useSelector(typed)} onChange={(event) => type(event.target.value)} />
    );
  }
  function Desk() {
    renders++;
    return <Box search={useSearch()} />;
  }
  render(
    <BrowserRouter>
      <Desk />
    </BrowserRouter>,
  );
  const field = screen.getByRole('textbox', { name: 'Search' });
  const before = renders;
  fireEvent.change(field, { target: { value: 'jo' } });
  expect(field).toHaveValue('jo');
  expect(renders).toBe(before);
});
