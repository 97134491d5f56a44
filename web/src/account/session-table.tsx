import { useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import { useData } from '../api/use-data.ts';
import { ActionsHeading } from '../ui/actions-heading.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { Age, LocalDate } from '../ui/time.tsx';
import { browserName } from './browser-name.ts';
import type { SessionEntry } from './responses.ts';

/** The browsers that are signed in to the account, with a button that signs each out. */
export function SessionTable({ onChanged }: { onChanged(): void }) {
  const { body, error, refetch } = useData<{ data: SessionEntry[] }>('/dashboard/sessions', {
    refetchOnVisible: true,
  });
  const [failure, setFailure] = useState<Error>();
  if (!body) return <Loading error={error} />;
  const end = (path: string, values?: object) => {
    setFailure(undefined);
    const ended = post(`/dashboard/sessions/${path}`, values).then(onChanged).then(refetch);
    ended.catch(setFailure);
  };
  const isOnlyOne = body.data.every(({ isCurrent }) => isCurrent);
  return (
    <>
      <table class="stack">
        <caption class="sr-only">Browsers that are signed in</caption>
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Network address</th>
            <th scope="col">Since</th>
            <th scope="col">Last used</th>
            <ActionsHeading />
          </tr>
        </thead>
        <tbody>
          {body.data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              onEnd={() => end('revoke', { id: session.id })}
            />
          ))}
        </tbody>
      </table>
      <ErrorMessage error={failure} />
      {!isOnlyOne && (
        <div class="row">
          <button type="button" onClick={() => end('revoke-others')}>
            Sign out all others
          </button>
        </div>
      )}
    </>
  );
}

function SessionRow({ session, onEnd }: { session: SessionEntry; onEnd(): void }) {
  const { address, userAgent, createdAt, lastUsedAt, isCurrent } = session;
  const name = browserName(userAgent);
  return (
    <tr>
      <th scope="row" title={userAgent}>
        {name}
      </th>
      <td data-label="Network address" class="long">
        {address}
      </td>
      <td data-label="Since">
        <LocalDate iso={createdAt} />
      </td>
      <td data-label="Last used">
        <Age iso={lastUsedAt} />
      </td>
      <td>
        {isCurrent ? (
          'this browser'
        ) : (
          <button type="button" aria-label={`Sign out ${name}, ${address}`} onClick={onEnd}>
            Sign out
          </button>
        )}
      </td>
    </tr>
  );
}
