import { hydrate, render } from 'preact';
import { ANSWERS_ID, type Answers } from '../../src/dashboard/rendering.ts';
import { Rendering } from './api/rendering.ts';
import { SESSION_PATH, type SessionInfo } from './api/session.ts';
import { App } from './app/app.tsx';
import { loadPage } from './app/routes.tsx';

const root = document.getElementById('app');
const answers = document.getElementById(ANSWERS_ID)?.textContent;
if (root && answers) void takeOver(root, JSON.parse(answers));
else if (root) render(<App />, root);

/** Hydrates a page that the server has rendered. */
async function takeOver(root: HTMLElement, answers: Answers): Promise<void> {
  const rendering = new Rendering(answers);
  await loadPage(location.pathname, sessionIn(rendering));
  const box = root.querySelector<HTMLInputElement>('[data-search]');
  const typed = box?.value;
  hydrate(<App rendering={rendering} />, root);
  rendering.end();
  if (!box || typed === undefined || typed === box.defaultValue) return;
  // The reader started to type before the page could respond.
  box.value = typed;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * The session in the answers of a rendered page, or the session of a visitor who has to sign in.
 */
function sessionIn(rendering: Rendering): Pick<SessionInfo, 'account' | 'isPublic'> {
  const answer = rendering.answerTo(SESSION_PATH)?.body as { data: SessionInfo } | undefined;
  return answer?.data ?? { account: null, isPublic: false };
}
