import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import type { ChangedResult, DetailsJob } from '../api/repair-orders.ts';
import {
  endConversation,
  fetchInterviewers,
  fetchOpenStory,
  nextReply,
  type OpenStory,
  type StoryReply,
  saveStory,
} from '../api/tech-stories.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { press, pressElsewhere } from '../ui/double-click.fixture.ts';
import { currentToast } from '../ui/toaster.ts';
import { forgetDrafts } from './drafts.ts';
import { BUILT_IN } from './interviewer-choice.tsx';
import { claim, GEMINI, interviewers, question, story, storyJob } from './story.fixture.ts';
import { TechStoryDialog } from './tech-story-dialog.tsx';

vi.mock('../api/tech-stories.ts', async (original) => ({
  ...(await original<typeof import('../api/tech-stories.ts')>()),
  endConversation: vi.fn(),
  fetchInterviewers: vi.fn(),
  fetchOpenStory: vi.fn(),
  nextReply: vi.fn(),
  saveStory: vi.fn(),
}));

const next = vi.mocked(nextReply);
const saving = vi.mocked(saveStory);
const order = { repairOrderNumber: 7, displayNumber: 'A007', vehicle: '2019 Kia Soul' };
const changed: ChangedResult = { ok: true, roNumber: 7, rows: [], version: 2, seq: 9 };

const saved = vi.fn();
const close = vi.fn();

beforeEach(() => {
  forgetDrafts();
  for (const mock of [next, saving, saved, close, vi.mocked(endConversation)]) mock.mockReset();
  vi.mocked(fetchInterviewers).mockReset().mockResolvedValue(interviewers());
  vi.mocked(fetchOpenStory).mockReset().mockResolvedValue(null);
  vi.mocked(endConversation).mockResolvedValue(undefined);
  saving.mockResolvedValue(changed);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

function show(job: Partial<DetailsJob> = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <TechStoryDialog details={order} job={storyJob(job)} saved={saved} close={close} />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), unmount };
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const soon = (name: string | RegExp) => screen.findByRole('button', { name });
const field = (name: string) => screen.getByRole('textbox', { name });
const log = () => screen.getByRole('log');

async function startInterview(...replies: (StoryReply | Error)[]) {
  for (const reply of replies) {
    if (reply instanceof Error) next.mockRejectedValueOnce(reply);
    else next.mockResolvedValueOnce(reply);
  }
  const shown = show();
  await shown.user.type(field('Cause'), ' Loose bolt ');
  await shown.user.type(field('Brief Tech Notes'), 'Torqued it');
  await shown.user.click(button('Start Generation'));
  return shown;
}

/** What a story is saved under. */
const aKey = expect.stringMatching(/^[0-9a-f]{32}$/);
const keys = () => saving.mock.calls.map(([, , key]) => key);

/** What the server was asked, from the first time on. */
const sentTurns = () => next.mock.calls.map(([turn]) => turn);

test('shows the concern and two empty fields that must be filled in', async () => {
  const { user } = show({ cause: 'Kept on the job' });
  const dialog = screen.getByRole('dialog', {
    name: 'Tech Story Generation RO A007, job 1 · 2019 Kia Soul',
  });
  expect(dialog).toHaveTextContent('Rattles over bumps');
  expect(field('Cause')).toHaveValue('');
  expect(field('Brief Tech Notes')).toHaveValue('');
  await user.type(field('Cause'), '  ');
  await user.type(field('Brief Tech Notes'), 'Torqued it');
  await user.click(button('Start Generation'));
  expect(screen.getByRole('alert')).toHaveTextContent(/^Please fill in both Cause and Brief Tech Notes$/);
  expect(field('Cause')).toBeInvalid();
  expect(field('Brief Tech Notes')).toBeValid();
  expect(next).not.toHaveBeenCalled();
});

test('fills in the job’s existing texts with one press', async () => {
  const { user } = show({ cause: 'Bolt was loose', briefTechNotes: 'Torqued to spec' });
  await user.click(button('Use the cause and notes of this job'));
  expect(field('Cause')).toHaveValue('Bolt was loose');
  expect(field('Brief Tech Notes')).toHaveValue('Torqued to spec');
});

test('shows that a text is too long before it is sent', async () => {
  const { user } = show({ cause: 'x'.repeat(4_001), briefTechNotes: 'y' });
  await user.click(await soon('Use the cause and notes of this job'));
  await screen.findByText('Built-in interviewer: works from your entries and answers alone');
  await user.click(button('Start Generation'));
  expect(screen.getByRole('alert')).toHaveTextContent('Cause: 4001 of 4000 characters');
  expect(next).not.toHaveBeenCalled();
});

test('asks one question after the other, saves the story, confirms, and closes', async () => {
  const { user } = await startInterview(
    question(1, 'Verified?'),
    question(2, 'Road-tested?'),
    story('Complaint: ...'),
  );
  expect(await within(log()).findByText('Verified?')).toBeInTheDocument();
  expect(log()).toHaveTextContent('Question 1 of 2');
  await user.click(button('Yes'));
  expect(await within(log()).findByText('Road-tested?')).toBeInTheDocument();
  await user.click(button('N/A'));
  // It is read before it is saved.
  const save = await soon('Save story');
  expect(saving).not.toHaveBeenCalled();
  await user.click(save);
  expect(await screen.findByText('Story generated successfully!')).toBeInTheDocument();
  expect(sentTurns()).toEqual([
    {
      roNumber: 7,
      jobNumber: 1,
      cause: 'Loose bolt',
      briefTechNotes: 'Torqued it',
      language: 'en',
      interviewer: 'built-in',
      conversation: [],
    },
    expect.objectContaining({
      conversationId: 'c1',
      conversation: [{ question: 'Verified?', answer: 'Yes' }],
    }),
    expect.objectContaining({
      conversation: [
        { question: 'Verified?', answer: 'Yes' },
        { question: 'Road-tested?', answer: 'N/A' },
      ],
    }),
  ]);
  expect(saving).toHaveBeenCalledExactlyOnceWith('c1', { story: 'Complaint: ...', confirmed: [] }, aKey);
  expect(saved).toHaveBeenCalledExactlyOnceWith(changed);
  expect(close).not.toHaveBeenCalled();
  await waitFor(() => expect(close).toHaveBeenCalled(), { timeout: 2_500 });
});

test('a question is answered by one key, and not by a key combination', async () => {
  const { user } = await startInterview(
    question(1, 'One?'),
    question(2, 'Two?'),
    question(3, 'Three?'),
    question(4, 'Four?'),
  );
  await screen.findByText('One?');
  await user.keyboard('{Control>}y{/Control}x');
  expect(next).toHaveBeenCalledOnce();
  await user.keyboard('y');
  await screen.findByText('Two?');
  await user.keyboard('N');
  await screen.findByText('Three?');
  await user.keyboard('a');
  await screen.findByText('Four?');
  expect(
    sentTurns()
      .at(-1)
      ?.conversation.map(({ answer }) => answer),
  ).toEqual(['Yes', 'No', 'N/A']);
});

test('the keys follow the language, and Y keeps its meaning', async () => {
  await changeLanguage('de');
  try {
    next.mockResolvedValueOnce(question(1, 'Geprüft?')).mockResolvedValue(question(2, 'Ersetzt?'));
    const { user } = show();
    await user.type(field('Ursache'), 'Lose');
    await user.type(field('Kurze Technikernotizen'), 'Angezogen');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await screen.findByText('Geprüft?');
    await user.keyboard('j');
    await screen.findByText('Ersetzt?');
    expect(sentTurns()[0]?.language).toBe('de');
    expect(sentTurns().at(-1)?.conversation).toEqual([{ question: 'Geprüft?', answer: 'Yes' }]);
  } finally {
    await changeLanguage('en');
  }
});

test.each<[ErrorCode, number, string]>([
  ['unusable-reply', 502, 'Error processing response. Please try again.'],
  ['interviewer-unavailable', 503, 'Error generating story. Please try again.'],
  ['network', 0, 'Error generating story. Please try again.'],
])('%s is shown in the chat, and can be retried with the same turns', async (code, status, text) => {
  const { user } = await startInterview(
    question(1, 'Verified?'),
    new ApiError(status, code, 'Because.'),
    question(2, 'Road-tested?'),
  );
  await screen.findByText('Verified?');
  await user.click(button('No'));
  expect(await within(log()).findByText(text)).toBeInTheDocument();
  await user.click(button('Try again'));
  await screen.findByText('Road-tested?');
  expect(sentTurns()[2]).toEqual(sentTurns()[1]);
});

test('after a model fails the built-in interviewer is offered, which starts from the beginning', async () => {
  vi.mocked(fetchInterviewers).mockResolvedValue(interviewers(GEMINI));
  next
    .mockRejectedValueOnce(new ApiError(503, 'interviewer-unavailable', 'Gemini does not answer.'))
    .mockResolvedValueOnce(question(1, 'Verified?'));
  const { user } = show();
  expect(await screen.findByRole('radio', { name: /Gemini, gemini-2.5-flash/ })).toBeChecked();
  await user.type(field('Cause'), 'Loose');
  await user.type(field('Brief Tech Notes'), 'Torqued');
  await user.click(button('Start Generation'));
  await screen.findByText('Error generating story. Please try again.');
  expect(screen.getByText('The interviewer cannot be reached just now.')).toBeInTheDocument();
  await user.click(button('Use the built-in interviewer'));
  await screen.findByText('Verified?');
  expect(sentTurns().map(({ interviewer }) => interviewer)).toEqual(['gemini', 'built-in']);
  expect(sentTurns()[1]).toMatchObject({ cause: 'Loose', briefTechNotes: 'Torqued', conversation: [] });
  expect(sentTurns()[1]).not.toHaveProperty('conversationId');
  expect(
    screen.getByText('Built-in interviewer: works from your entries and answers alone'),
  ).toBeInTheDocument();
});

test('after the built-in interviewer fails it is not offered as its own replacement', async () => {
  await startInterview(new ApiError(503, 'unavailable', 'The database is away.'));
  await soon('Try again');
  expect(screen.queryByRole('button', { name: 'Use the built-in interviewer' })).toBeNull();
});

test('the chosen interviewer gets the request', async () => {
  vi.mocked(fetchInterviewers).mockResolvedValue(interviewers(GEMINI));
  next.mockResolvedValue(question(1, 'Verified?'));
  const { user } = show();
  await user.click(await screen.findByRole('radio', { name: /Built-in interviewer/ }));
  await user.type(field('Cause'), 'Loose');
  await user.type(field('Brief Tech Notes'), 'Torqued');
  await user.click(button('Start Generation'));
  await screen.findByText('Verified?');
  expect(sentTurns()[0]?.interviewer).toBe('built-in');
});

test('Cancel stops generating, and the question can be answered again', async () => {
  const signals: AbortSignal[] = [];
  next.mockResolvedValueOnce(question(1, 'Verified?')).mockImplementationOnce((_, progress, signal) => {
    signals.push(signal);
    act(() => progress('Complaint: the cus'));
    return new Promise(() => undefined);
  });
  const { user } = await startInterview();
  await screen.findByText('Verified?');
  await user.keyboard('y');
  expect(await screen.findByText(/Complaint: the cus/)).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('Generating...');
  await user.click(button('Cancel'));
  expect(signals[0]?.aborted).toBe(true);
  expect(button('Yes')).toBeInTheDocument();
  expect(log()).toHaveTextContent(/^Question 1 of 2Verified\?$/);
});

test('stopping at the first question brings the entered texts back', async () => {
  next.mockImplementationOnce(() => new Promise(() => undefined));
  const { user } = await startInterview();
  await user.click(await soon('Cancel'));
  expect(field('Cause')).toHaveValue(' Loose bolt ');
});

test('closing the dialog stops generating', async () => {
  const signals: AbortSignal[] = [];
  next.mockImplementationOnce((_, __, signal) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  const { unmount } = await startInterview();
  await soon('Cancel');
  unmount();
  expect(signals[0]?.aborted).toBe(true);
});

test('ending an interview ends it at the server and keeps the entered texts', async () => {
  const { user } = await startInterview(question(1, 'Verified?'));
  await screen.findByText('Verified?');
  await user.click(button('End interview'));
  expect(endConversation).toHaveBeenCalledExactlyOnceWith('c1');
  expect(field('Cause')).toHaveValue('Loose bolt');
});

describe('what was typed', () => {
  test('as entries is there again when the dialog was closed, and is not after Cancel', async () => {
    const first = show();
    await first.user.type(field('Cause'), 'Loose bolt');
    await first.user.type(field('Brief Tech Notes'), 'Torqued it');
    await first.user.keyboard('{Escape}');
    expect(close).toHaveBeenCalledTimes(1);
    first.unmount();
    const second = show();
    expect(field('Cause')).toHaveValue('Loose bolt');
    expect(field('Brief Tech Notes')).toHaveValue('Torqued it');
    await second.user.click(button('Cancel'));
    expect(close).toHaveBeenCalledTimes(2);
    second.unmount();
    show();
    expect(field('Cause')).toHaveValue('');
    expect(localStorage.getItem('dispatch.draft.7.1')).toBeNull();
  });

  test('as entries stays until the story is saved, and no longer', async () => {
    const { user, unmount } = await startInterview(story('Complaint: ...'));
    await soon('Save story');
    expect(localStorage.getItem('dispatch.draft.7.1')).toContain('Loose bolt');
    await user.click(button('Save story'));
    expect(await screen.findByText('Story generated successfully!')).toBeInTheDocument();
    expect(localStorage.getItem('dispatch.draft.7.1')).toBeNull();
    unmount();
    show();
    expect(field('Cause')).toHaveValue('');
  });

  test('as entries of another interview stays when the story before it is saved', async () => {
    let answer: (saved: ChangedResult) => void = () => undefined;
    saving.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const { user, unmount } = await startInterview(story('Complaint: ...'));
    await user.click(await soon('Save story'));
    unmount();
    const other = show();
    await other.user.clear(field('Cause'));
    await other.user.type(field('Cause'), 'Bent');
    await act(async () => answer(changed));
    expect(field('Cause')).toHaveValue('Bent');
    expect(field('Brief Tech Notes')).toHaveValue('');
  });

  const finished: OpenStory = {
    conversationId: 'c1',
    startedAt: '2026-03-02T15:41:00Z',
    interviewer: BUILT_IN,
    cause: 'Loose bolt',
    briefTechNotes: 'Torqued it',
    language: 'en',
    conversation: [{ question: 'Verified?', answer: 'Yes' }],
    reply: story('Complaint: ...'),
  };

  test('in the finished story is there again when its interview is continued', async () => {
    const { user, unmount } = await startInterview(story('Complaint: ...'));
    await user.click(await soon('Edit the story'));
    await user.type(field('The story'), ' Edited.');
    unmount();
    vi.mocked(fetchOpenStory).mockResolvedValue(finished);
    const again = show();
    await again.user.click(await soon(/^Continue the interview/));
    expect(screen.getByText('Complaint: ... Edited.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Back/ })).not.toBeInTheDocument();
    // A refusal changes nothing about it.
    saving.mockRejectedValueOnce(new ApiError(0, 'network', 'Away.'));
    await again.user.click(button('Save story'));
    await screen.findByRole('alert');
    await again.user.click(button('Save story'));
    expect(await screen.findByText('Story generated successfully!')).toBeInTheDocument();
    expect(screen.getByText('Complaint: ... Edited.')).toBeInTheDocument();
    expect(saving).toHaveBeenLastCalledWith('c1', { story: 'Complaint: ... Edited.', confirmed: [] }, aKey);
    expect(localStorage.getItem('dispatch.draft.7.1')).toBeNull();
  });

  test('in a finished story is not put into another one', async () => {
    const { user, unmount } = await startInterview(story('Complaint: ...'));
    await user.click(await soon('Edit the story'));
    await user.type(field('The story'), ' Edited.');
    unmount();
    vi.mocked(fetchOpenStory).mockResolvedValue({ ...finished, reply: story('Complaint: another.') });
    const again = show();
    await again.user.click(await soon(/^Continue the interview/));
    expect(screen.getByText('Complaint: another.')).toBeInTheDocument();
    expect(button('Back to question 1')).toBeInTheDocument();
  });

  test('in the finished story goes with an interview that is ended', async () => {
    const { user } = await startInterview(story('Complaint: ...'));
    await user.click(await soon('Edit the story'));
    await user.type(field('The story'), ' Edited.');
    await user.click(button('End interview'));
    expect(field('Cause')).toHaveValue('Loose bolt');
    expect(localStorage.getItem('dispatch.draft.7.1')).not.toContain('Edited.');
  });
});

test('an interview open at the server is resumed where it was', async () => {
  vi.mocked(fetchOpenStory).mockResolvedValue({
    conversationId: 'c9',
    startedAt: '2026-03-02T15:41:00Z',
    interviewer: GEMINI,
    cause: 'Bent',
    briefTechNotes: 'Straightened',
    language: 'en',
    conversation: [{ question: 'Verified?', answer: 'Yes' }],
    reply: { ...question(2, 'Road-tested?', GEMINI), conversationId: 'c9' },
  });
  next.mockResolvedValue(question(3, 'Codes?', GEMINI));
  const { user } = show();
  await user.click(await soon(/^Continue the interview of .*Gemini, gemini-2.5-flash, 1 answer so far$/));
  expect(log()).toHaveTextContent(/Verified\?.*Yes.*Road-tested\?/);
  await user.keyboard('n');
  await screen.findByText('Codes?');
  expect(sentTurns()[0]).toMatchObject({
    conversationId: 'c9',
    cause: 'Bent',
    conversation: [
      { question: 'Verified?', answer: 'Yes' },
      { question: 'Road-tested?', answer: 'No' },
    ],
  });
});

test('an interview continued in another window is resumed from there', async () => {
  const { user } = await startInterview(
    question(1, 'Verified?'),
    new ApiError(409, 'conversation-moved-on', 'It has moved on.'),
  );
  await screen.findByText('Verified?');
  await user.keyboard('y');
  await screen.findByText('This interview went on in another window.');
  vi.mocked(fetchOpenStory).mockResolvedValue({
    conversationId: 'c1',
    startedAt: '2026-03-02T15:41:00Z',
    interviewer: GEMINI,
    cause: 'Loose bolt',
    briefTechNotes: 'Torqued it',
    language: 'en',
    conversation: [{ question: 'Verified?', answer: 'No' }],
    reply: question(2, 'Road-tested?'),
  });
  await user.click(button('Continue where it is'));
  expect(await screen.findByText('Road-tested?')).toBeInTheDocument();
  expect(log()).toHaveTextContent(/Your answer: No/);
});

test.each<[ErrorCode, number, string]>([
  ['conversation-expired', 410, 'This interview is too old to continue.'],
  ['conversation-ended', 409, 'This interview has ended.'],
  ['too-many-questions', 409, 'Too many questions were asked without a story.'],
])('%s starts again with the entered texts', async (code, status, text) => {
  const { user } = await startInterview(new ApiError(status, code, 'Over.'));
  expect(await within(log()).findByText(new RegExp(text))).toBeInTheDocument();
  await user.click(button('Start again'));
  expect(field('Cause')).toHaveValue('Loose bolt');
});

const storyWithUnsupportedFacts = 'Replaced part AB-12-C at 45,210 miles.';
const unsupportedFacts = [
  { kind: 'part-number' as const, text: 'AB-12-C', start: 14, end: 21 },
  { kind: 'mileage' as const, text: '45,210 miles', start: 25, end: 37 },
];

test('an unsupported fact is confirmed or removed before the story is saved', async () => {
  const { user } = await startInterview(story(storyWithUnsupportedFacts, unsupportedFacts));
  expect(await screen.findByRole('heading', { name: 'Check the story' })).toBeInTheDocument();
  expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
    'AB-12-C',
    '45,210 miles',
  ]);
  expect(saving).not.toHaveBeenCalled();
  await user.click(button('Save story'));
  expect(screen.getByText('2 left to confirm')).toBeInTheDocument();
  expect(button(/This is right\s*: AB-12-C/)).toHaveFocus();
  await user.click(button(/This is right\s*: AB-12-C/));
  expect(button(/This is right\s*: AB-12-C/)).toHaveAttribute('aria-pressed', 'true');
  await user.click(button('Edit the story'));
  const text = field('The story');
  await user.clear(text);
  await user.type(text, 'Replaced part AB-12-C.');
  // Escape leaves the field, and neither what was written nor the dialog.
  await user.keyboard('{Escape}');
  expect(close).not.toHaveBeenCalled();
  expect(screen.getByText('No longer in the story')).toBeInTheDocument();
  await user.click(button('Save story'));
  expect(await screen.findByText('Story generated successfully!')).toBeInTheDocument();
  const body = { story: 'Replaced part AB-12-C.', confirmed: ['AB-12-C'] };
  expect(saving).toHaveBeenCalledExactlyOnceWith('c1', body, aKey);
});

test('unsupported facts added while editing are asked about, too', async () => {
  const text = 'Replaced part 77 with 78.';
  const refused = { ok: false, error: 'Unconfirmed.', code: 'unconfirmed' as const, roNumber: 7 };
  saving.mockRejectedValueOnce(
    new ApiError(422, 'unconfirmed', 'Unconfirmed.', {
      ...refused,
      doubts: [{ kind: 'number', text: '78', start: 22, end: 24 }],
    }),
  );
  const { user } = await startInterview(story(text, [{ kind: 'number', text: '77', start: 14, end: 16 }]));
  await user.click(await soon(/This is right\s*: 77/));
  await user.click(button('Save story'));
  await user.click(await soon(/This is right\s*: 78/));
  await user.click(button('Save story'));
  expect(await screen.findByText('Story generated successfully!')).toBeInTheDocument();
  expect(saving).toHaveBeenLastCalledWith('c1', { story: text, confirmed: ['77', '78'] }, aKey);
});

test('a story that could not be saved can be saved again', async () => {
  saving.mockRejectedValueOnce(new ApiError(0, 'network', 'Away.'));
  const { user } = await startInterview(story('Complaint: ...'));
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  await user.click(await soon('Save story'));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The story could not be saved. The server could not be reached.');
  // Below a long story it would be out of sight.
  expect(scrolled.mock.contexts.at(-1)).toBe(alert);
  expect(screen.getByText('Complaint: ...')).toBeInTheDocument();
  await user.click(button('Save story'));
  expect(await screen.findByText('Story generated successfully!')).toBeInTheDocument();
});

test('a story is saved again under its key after a lost answer, another text under another', async () => {
  const lost = new ApiError(0, 'network', 'Away.');
  saving.mockRejectedValueOnce(lost).mockRejectedValueOnce(lost);
  const { user } = await startInterview(story('Complaint: ...'));
  await user.click(await soon('Save story'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('could not be saved'));
  await user.click(button('Save story'));
  await waitFor(() => expect(saving).toHaveBeenCalledTimes(2));
  await waitFor(() => expect(button('Edit the story')).toBeEnabled());
  await user.click(button('Edit the story'));
  await user.type(field('The story'), ' Edited.');
  await user.click(button('Save story'));
  expect(await screen.findByText('Story generated successfully!')).toBeInTheDocument();
  const [first, again, edited] = keys();
  expect(first).toEqual(aKey);
  expect(again).toBe(first);
  expect(edited).not.toBe(first);
});

test('a refused story is saved again under another key: the first has its answer', async () => {
  saving.mockRejectedValueOnce(new ApiError(409, 'closed', 'It is closed.'));
  const { user } = await startInterview(story('Complaint: ...'));
  await user.click(await soon('Save story'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('could not be saved'));
  // Somebody has reopened the order.
  await user.click(button('Save story'));
  expect(await screen.findByText('Story generated successfully!')).toBeInTheDocument();
  const [first, again] = keys();
  expect(again).not.toBe(first);
});

test('a story that could not be saved after its dialog was closed is told', async () => {
  let refuse: (failure: ApiError) => void = () => undefined;
  saving.mockReturnValueOnce(
    new Promise((_, reject) => {
      refuse = reject;
    }),
  );
  const { user, unmount } = await startInterview(story('Complaint: ...'));
  await user.click(await soon('Save story'));
  unmount();
  await act(async () => refuse(new ApiError(0, 'network', 'Away.')));
  expect(currentToast()).toMatchObject({
    tone: 'destructive',
    text: 'The story could not be saved',
    detail: 'RO A007, job 1 · The server could not be reached.',
  });
});

test('a value goes with a Yes, and is asked for once where none was given', async () => {
  const codes = { ...question(1, 'Were trouble codes stored?'), field: 'codes' as const };
  const mileage = { ...question(2, 'Was the odometer read?'), field: 'mileage' as const };
  const { user } = await startInterview(codes, mileage, question(3, 'Road-tested?'));
  const field = await screen.findByRole('textbox', { name: 'Which codes' });
  await user.click(button('Yes'));
  expect(field).toHaveFocus();
  expect(screen.getByRole('alert')).toHaveTextContent('Say which, or press Yes once more to leave it out.');
  // In the field the keys of the answers are letters.
  await user.type(field, 'any P0301{Enter}');
  expect(await within(log()).findByText('Was the odometer read?')).toBeInTheDocument();
  expect(log()).toHaveTextContent(/Your answer: Yes: any P0301/);
  const miles = screen.getByRole('textbox', { name: 'Mileage' });
  expect(miles).toHaveValue('');
  await user.type(miles, '41250');
  await user.click(button('km'));
  expect(miles).toHaveFocus();
  // What was typed does not go with a No, and is not lost by one press.
  await user.click(button('No'));
  expect(screen.getByRole('alert')).toHaveTextContent(
    'What you entered goes only with Yes. Press No once more to leave it out.',
  );
  expect(miles).toHaveValue('41250');
  await user.click(button('No'));
  expect(await within(log()).findByText('Road-tested?')).toBeInTheDocument();
  expect(sentTurns().at(-1)).toMatchObject({
    conversation: [
      { question: 'Were trouble codes stored?', answer: 'Yes', value: 'any P0301' },
      { question: 'Was the odometer read?', answer: 'No' },
    ],
  });
});

test('a typed value is saved by a button that names it, and a number alone is asked for its unit', async () => {
  const measured = (number: number, text: string) => ({
    ...question(number, text),
    field: 'measurement' as const,
  });
  const { user } = await startInterview(
    measured(1, 'Measured?'),
    measured(2, 'And after?'),
    question(3, 'Road-tested?'),
  );
  const field = await screen.findByRole('textbox', { name: 'Measured values with units' });
  expect(field).toHaveAttribute('inputmode', 'decimal');
  expect(screen.queryByRole('button', { name: /^Save/ })).not.toBeInTheDocument();
  await user.type(field, '2.5');
  await user.click(button('Save 2.5'));
  expect(screen.getByRole('alert')).toHaveTextContent('Which unit is it in?');
  await user.click(button('mm'));
  await user.click(button('Save 2.5 mm'));
  expect(await within(log()).findByText('And after?')).toBeInTheDocument();
  await user.type(screen.getByRole('textbox', { name: 'Measured values with units' }), '12.4 V');
  expect(button('mm')).toHaveAttribute('aria-pressed', 'false');
  await user.click(button('Save 12.4 V'));
  expect(await within(log()).findByText('Road-tested?')).toBeInTheDocument();
  expect(
    sentTurns()
      .at(-1)
      ?.conversation.map(({ value }) => value),
  ).toEqual(['2.5 mm', '12.4 V']);
});

test('a mileage that is none is refused in words', async () => {
  const mileage = { ...question(1, 'Was the odometer read?'), field: 'mileage' as const };
  const { user } = await startInterview(mileage, question(2, 'Road-tested?'));
  const miles = await screen.findByRole('textbox', { name: 'Mileage' });
  await user.type(miles, '2.1');
  for (const press of [button('Save 2.1'), button('Yes'), button('Yes')]) {
    await user.click(press);
    expect(screen.getByRole('alert')).toHaveTextContent('A mileage is a whole number, such as 48213.');
  }
  expect(miles).toBeInvalid();
  await user.clear(miles);
  await user.type(miles, '48213{Enter}');
  expect(await within(log()).findByText('Road-tested?')).toBeInTheDocument();
  expect(sentTurns().at(-1)?.conversation).toEqual([
    { question: 'Was the odometer read?', answer: 'Yes', value: '48213' },
  ]);
});

test('Back takes the last answer back: the interview begins again with the answers before it', async () => {
  const { user } = await startInterview(
    question(1, 'Verified?'),
    question(2, 'Codes?'),
    question(3, 'Road-tested?'),
  );
  await screen.findByText('Verified?');
  expect(screen.queryByRole('button', { name: /^Back/ })).not.toBeInTheDocument();
  await user.keyboard('y');
  await screen.findByText('Codes?');
  await user.keyboard('n');
  await screen.findByText('Road-tested?');
  const anew = (reply: StoryReply) => ({ ...reply, conversationId: 'c2' });
  next
    .mockResolvedValueOnce(anew(question(1, 'Verified?')))
    .mockResolvedValueOnce(anew(question(2, 'Codes?')))
    .mockResolvedValueOnce(anew(question(3, 'Road-tested?')));
  await user.click(button('Back to question 2'));
  await waitFor(() => expect(log()).toHaveTextContent(/^Question 1Verified\?Your answer: Yes.*Codes\?$/));
  expect(screen.getByRole('group', { name: 'Answer to question 2' })).toHaveFocus();
  expect(sentTurns()[3]).toMatchObject({ cause: 'Loose bolt', conversation: [] });
  expect(sentTurns()[3]).not.toHaveProperty('conversationId');
  const verified = { question: 'Verified?', answer: 'Yes' };
  expect(sentTurns()[4]).toMatchObject({ conversationId: 'c2', conversation: [verified] });
  await user.keyboard('y');
  await screen.findByText('Road-tested?');
  expect(sentTurns().at(-1)).toMatchObject({
    conversationId: 'c2',
    conversation: [verified, { question: 'Codes?', answer: 'Yes' }],
  });
});

test('going back that fails half-way goes on with the answers that were kept', async () => {
  const { user } = await startInterview(
    question(1, 'Verified?'),
    question(2, 'Codes?'),
    question(3, 'Road-tested?'),
    question(4, 'Cleaned?'),
  );
  for (const [text, key] of [
    ['Verified?', 'y'],
    ['Codes?', 'n'],
    ['Road-tested?', 'y'],
  ] as const) {
    await screen.findByText(text);
    await user.keyboard(key);
  }
  await screen.findByText('Cleaned?');
  const anew = (reply: StoryReply) => ({ ...reply, conversationId: 'c2' });
  next
    .mockResolvedValueOnce(anew(question(1, 'Verified?')))
    .mockRejectedValueOnce(new ApiError(0, 'network', 'Away.'))
    .mockResolvedValueOnce(anew(question(2, 'Codes?')))
    .mockResolvedValueOnce(anew(question(3, 'Road-tested?')));
  await user.click(button('Back to question 3'));
  await user.click(await soon('Try again'));
  await screen.findByRole('group', { name: 'Answer to question 3' });
  expect(log()).toHaveTextContent(/Verified\?Your answer: Yes.*Codes\?Your answer: No.*Road-tested\?$/);
  const verified = { question: 'Verified?', answer: 'Yes' };
  const asked = sentTurns().slice(4);
  expect(asked).toMatchObject([
    { conversation: [] },
    { conversationId: 'c2', conversation: [verified] },
    { conversationId: 'c2', conversation: [verified] },
    { conversationId: 'c2', conversation: [verified, { question: 'Codes?', answer: 'No' }] },
  ]);
  expect(asked).toHaveLength(4);
});

test('going back is one key, and stops at a question that was not asked before', async () => {
  const { user } = await startInterview(
    question(1, 'Verified?'),
    question(2, 'Codes?'),
    question(3, 'Road-tested?'),
    question(1, 'Inspected?'),
  );
  await screen.findByText('Verified?');
  await user.keyboard('y');
  await screen.findByText('Codes?');
  await user.keyboard('n');
  await screen.findByText('Road-tested?');
  await user.keyboard('{Backspace}');
  await screen.findByText('Inspected?');
  expect(log()).toHaveTextContent(/^Question 1 of 2Inspected\?$/);
});

test('the last answer can be taken back from the story, unless that was edited', async () => {
  const { user } = await startInterview(
    question(1, 'Verified?'),
    story('Complaint: ...'),
    question(1, 'Verified?'),
    story('Complaint: not verified.'),
  );
  await screen.findByText('Verified?');
  await user.keyboard('y');
  await user.click(await soon('Back to question 1'));
  await screen.findByText('Verified?');
  await user.click(button('No'));
  await user.click(await soon('Edit the story'));
  await user.type(field('The story'), ' Edited.');
  expect(screen.queryByRole('button', { name: /^Back/ })).not.toBeInTheDocument();
});

test('a model’s question has no Back: it would have to be asked everything again', async () => {
  await startInterview(question(1, 'Verified?', GEMINI), question(2, 'Codes?', GEMINI));
  await userEvent.keyboard('y');
  await screen.findByText('Codes?');
  expect(screen.queryByRole('button', { name: /^Back/ })).not.toBeInTheDocument();
});

test('a Yes pressed twice is sent without a value', async () => {
  const codes = { ...question(1, 'Were trouble codes stored?'), field: 'codes' as const };
  const { user } = await startInterview(codes, question(2, 'Road-tested?'));
  await user.click(await soon('Yes'));
  await user.click(button('Yes'));
  expect(await within(log()).findByText('Road-tested?')).toBeInTheDocument();
  expect(sentTurns().at(-1)).toMatchObject({
    conversation: [{ question: 'Were trouble codes stored?', answer: 'Yes' }],
  });
});

describe('a double tap', () => {
  beforeEach(pressElsewhere);

  test('on Yes leaves the next question unanswered', async () => {
    await startInterview(question(1, 'Verified?'), question(2, 'Road-tested?'), question(3, 'Codes?'));
    await screen.findByText('Verified?');
    press(button('Yes'), 'mouse', 1);
    await screen.findByText('Road-tested?');
    press(button('Yes'), 'mouse', 2);
    expect(sentTurns().at(-1)?.conversation).toHaveLength(1);
    expect(next).toHaveBeenCalledTimes(2);
  });

  test('on Yes does not cancel the reply to it', async () => {
    await startInterview(question(1, 'Verified?'));
    await screen.findByText('Verified?');
    next.mockReturnValueOnce(new Promise(() => undefined));
    press(button('Yes'), 'mouse', 1);
    press(await soon('Cancel'), 'mouse', 2);
    expect(screen.getByRole('status')).toHaveTextContent('Generating...');
  });

  test('on the last Yes does not save the story unread', async () => {
    await startInterview(question(1, 'Verified?'), story('Complaint: ...'));
    await screen.findByText('Verified?');
    press(button('Yes'), 'mouse', 1);
    press(await soon('Save story'), 'mouse', 2);
    expect(saving).not.toHaveBeenCalled();
  });

  test('on the Yes of one question presses it twice', async () => {
    const codes = { ...question(1, 'Were trouble codes stored?'), field: 'codes' as const };
    await startInterview(codes, question(2, 'Road-tested?'));
    await screen.findByText('Were trouble codes stored?');
    press(button('Yes'), 'mouse', 1);
    press(button('Yes'), 'mouse', 2);
    expect(await within(log()).findByText('Road-tested?')).toBeInTheDocument();
  });
});

test('what is missing in a story has to be written, and the fields of its claim are shown', async () => {
  const missing = 'What was done is not recorded.';
  const text = `Correction:\n${missing}`;
  const finished = {
    ...story(text, [{ kind: 'missing', text: missing, start: 12, end: 42 }]),
    claim: claim({ operationCode: 'BRKF', partNumbers: ['AB-12', 'CD-34'] }),
  };
  const { user } = await startInterview(finished);
  await user.click(await soon('Save story'));
  expect(saving).not.toHaveBeenCalled();
  expect(screen.getByText('To be written')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /This is right/ })).not.toBeInTheDocument();
  const fields = screen.getByRole('region', { name: 'Claim' });
  expect(fields).toHaveTextContent('OperationBRKF');
  expect(fields).toHaveTextContent('Part numbersAB-12, CD-34');
  expect(fields).not.toHaveTextContent('Mileage');
  await user.click(button('Edit the story'));
  const written = field('The story');
  await user.clear(written);
  await user.type(written, 'Replaced the link.');
  await user.click(button('Save story'));
  expect(await screen.findByText('Story generated successfully!')).toBeInTheDocument();
});
