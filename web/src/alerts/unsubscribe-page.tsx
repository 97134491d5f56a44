import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { call } from '../api/call.ts';
import { useAction } from '../ui/hooks.ts';
import { Page } from '../ui/page.tsx';
import { ErrorMessage } from '../ui/status.tsx';

/** Ends mails through the link in a mail. Nothing changes before the reader presses a button. */
export function UnsubscribePage() {
  const { query } = useLocation();
  const [isDone, setDone] = useState(false);
  const { error, run } = useAction();
  const { token = '' } = query;
  const end = (scope: object) => {
    const search = new URLSearchParams({ token, ...scope });
    return run(async () => {
      await call(`${PAGES.unsubscribe}?${search}`, { method: 'POST', handlesUnauthorized: true });
      setDone(true);
    });
  };
  return (
    <Page title="Stop mails of alerts">
      {token === '' && <p>Open the link of the mail again: its end is missing.</p>}
      {token !== '' && !isDone && (
        <>
          <p>The alerts stay, and you can turn their mails on again.</p>
          <div class="row">
            <button type="button" class="primary" onClick={() => end({})}>
              Stop these mails
            </button>
            {token.split('-')[1] !== 'all' && (
              <button type="button" onClick={() => end({ scope: 'all' })}>
                Stop the mails of all alerts
              </button>
            )}
          </div>
        </>
      )}
      <ErrorMessage error={error} />
      <p class="done" role="status">
        {isDone && 'The mails are stopped.'}
      </p>
      <p>
        <a href={PAGES.alerts}>See your alerts</a>
      </p>
    </Page>
  );
}
