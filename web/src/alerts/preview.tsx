import { useEffect, useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import type { AlertPreview } from '../api/responses.ts';
import { formatCounted, formatDay, formatMoney } from '../ui/format.ts';
import { ErrorMessage } from '../ui/status.tsx';
import { CopyOfCard } from './copy-of-card.tsx';

/** The time after the last change of the form until its preview is fetched. */
const DELAY_MS = 300;

/** The events that the form lists; the newest ones. */
const LISTED = 5;

/** The past events that an alert would have fired, for the body of the call that would add it. */
export function Preview({ body }: { body: object | undefined }) {
  const { preview, error, isCurrent } = usePreview(body);
  if (error) return <ErrorMessage error={error} />;
  return (
    <div class="field" role="status" aria-busy={!isCurrent}>
      {preview ? <Fired preview={preview} /> : <p class="quiet">Looking at the past…</p>}
    </div>
  );
}

function Fired({ preview: { from, total, events } }: { preview: AlertPreview }) {
  if (from === null) return <p>There is no history to look at.</p>;
  const since = `since ${formatDay(from)}`;
  if (total === 0) return <p>It would not have fired {since}.</p>;
  const shown = events.slice(0, LISTED);
  return (
    <>
      <p>
        It would have fired {total === 1 ? 'once' : `${formatCounted(total, 'time')}`} {since}
        {total > shown.length && ', last'}:
      </p>
      <ul>
        {shown.map((event) => (
          <li key={`${event.date} ${event.card} ${event.printing}`}>
            {formatDay(event.date)}: {formatMoney(event.after)}{' '}
            {isOfSeveral(events) && (
              <>
                (<CopyOfCard of={event} />)
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function isOfSeveral(events: AlertPreview['events']): boolean {
  const [first] = events;
  return events.some(({ card, printing }) => card !== first?.card || printing !== first.printing);
}

/** Fetches the preview of the newest body. The previous preview stays until then. */
function usePreview(body: object | undefined) {
  const content = body && JSON.stringify(body);
  const [state, setState] = useState<{
    readonly preview?: AlertPreview;
    readonly error?: Error;
    readonly content?: string;
  }>({});
  useEffect(() => {
    if (content === undefined) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const answer = await fetchPreview(content);
      if (!isOver) setState({ ...answer, content });
    }, DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [content]);
  return { ...state, isCurrent: state.content === content };
}

async function fetchPreview(content: string) {
  try {
    const body = JSON.parse(content) as object;
    return {
      preview: (await post<{ data: AlertPreview }>('/dashboard/alerts/preview', body)).data,
    };
  } catch (error) {
    return { error: error as Error };
  }
}
