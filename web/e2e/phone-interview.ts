// A tech story as a technician makes it on the phone: what they noted, the questions, the story to check, and saving.
import type { Locator, Page } from '@playwright/test';
import { expect } from './desk.ts';

type Answer = 'Yes' | 'No' | 'N/A';

/** What is said with a Yes, by the label of its field; for others a second Yes is enough. */
const VALUES: Readonly<Record<string, string>> = {
  Mileage: '48210 mi',
  'Measured values with units': '2 mm',
};

export interface Entries {
  cause: string;
  notes: string;
}

/**
 * Makes and saves the story of the order's first job, whose details are open. `entries` null: the cause and notes that the
 * job has. Returns the questions' answers.
 */
export async function makeStory(
  page: Page,
  details: Locator,
  entries: Entries | null,
  answers: readonly Answer[],
): Promise<Answer[]> {
  await details.getByRole('button', { name: 'Tech Story Magic' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Tech Story Generation' });
  if (entries === null) {
    await dialog.getByRole('button', { name: 'Use the cause and notes of this job' }).click();
  } else {
    await dialog.getByRole('textbox', { name: 'Cause' }).fill(entries.cause);
    await dialog.getByRole('textbox', { name: 'Brief Tech Notes' }).fill(entries.notes);
  }
  await dialog.getByRole('button', { name: 'Start Generation' }).click();
  const given = await answerAll(dialog, answers);
  await dialog.getByRole('button', { name: 'Save story' }).click();
  await expect(dialog.getByText('Story generated successfully!')).toBeVisible();
  await expect(dialog).toBeHidden();
  return given;
}

/** Answers in turn until there is a story to check. */
async function answerAll(dialog: Locator, answers: readonly Answer[]): Promise<Answer[]> {
  const review = dialog.getByRole('heading', { name: 'Check the story' });
  const given: Answer[] = [];
  for (;;) {
    const question = dialog.getByText(new RegExp(`^Question ${given.length + 1} of`));
    await expect(review.or(question)).toBeVisible();
    if (await review.isVisible()) return given;
    const answer = answers[given.length % answers.length] ?? 'Yes';
    await expect(dialog.getByRole('button', { name: answer, exact: true })).toBeVisible();
    await giveAnswer(dialog, answer);
    given.push(answer);
  }
}

async function giveAnswer(dialog: Locator, answer: Answer): Promise<void> {
  const button = dialog.getByRole('button', { name: answer, exact: true });
  const field = dialog.getByRole('textbox');
  if (answer === 'Yes' && (await field.isVisible())) {
    const label = await field.evaluate((input) =>
      input instanceof HTMLInputElement ? (input.labels?.[0]?.textContent ?? '') : '',
    );
    const value = VALUES[label];
    if (value !== undefined) await field.fill(value);
    // Without a value it is asked for once.
    else await button.click();
  }
  await button.click();
}
