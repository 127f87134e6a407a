/** Browsers have `navigator.clipboard` only over HTTPS; in a shop's own network the page may come over plain HTTP. */
export async function copyText(text: string): Promise<void> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.className = 'fixed top-0 left-0 opacity-0';
  // A modal dialog takes the focus back from what is outside of it, and what is selected there with it.
  const dialog = before?.closest('[role="dialog"], [role="alertdialog"]');
  (dialog ?? document.body).append(area);
  try {
    area.select();
    if (!document.execCommand('copy')) throw new Error('The browser refused to copy.');
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
