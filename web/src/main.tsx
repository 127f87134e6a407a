import './styles.css';
import './i18n/i18n.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { earlyAnswersArrived } from './api/early-answers.ts';
import { onSessionChange, sessionState } from './api/session.ts';
import { App } from './app.tsx';
import { applyTheme } from './ui/theme.ts';

/**
 * For so long (ms) the page waits for who is signed in and, at the desk, for the list, so that it is drawn once instead of
 * three times. After that it says what it waits for.
 */
const MAX_WAIT_MS = 250;

applyTheme();

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');
const root = createRoot(container);
void Promise.race([contentIsHere(), passed(MAX_WAIT_MS)]).then(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

async function contentIsHere(): Promise<void> {
  await Promise.all([sessionIsKnown(), earlyAnswersArrived()]);
  // Whoever took the list has read it by then.
  await passed(0);
}

function sessionIsKnown(): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (sessionState().status !== 'loading') resolve();
    };
    onSessionChange(check);
    check();
  });
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
