import { useState } from 'preact/hooks';
import { formatCount } from '../ui/format.ts';
import { Age } from '../ui/time.tsx';
import type { RecentRequest } from './responses.ts';
import './answers.css';

/** The requests that are shown at first. */
const FIRST = 10;

/** The last requests of the account, by whose ids the operator finds them in the log. */
export function RecentTable({ requests }: { requests: readonly RecentRequest[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? requests : requests.slice(0, FIRST);
  return (
    <>
      <h2>Last requests</h2>
      <p class="quiet">
        What was asked for is not kept, nor from where. Name the id of a request when you ask the
        operator about it.
      </p>
      <table class="stack recent">
        <caption class="sr-only">The last requests, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col">Answer</th>
            <th scope="col">Key</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col">When</th>
            <th scope="col">Id</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((request) => (
            <RequestRow key={request.requestId} request={request} />
          ))}
        </tbody>
      </table>
      {requests.length > shown.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {formatCount(requests.length)}
        </button>
      )}
    </>
  );
}

function RequestRow({ request }: { request: RecentRequest }) {
  const { endpoint, status, code, keyName, ms, at, requestId } = request;
  return (
    <tr>
      <th scope="row">
        <code>{endpoint}</code>
      </th>
      <td data-label="Answer">
        <span class={status < 400 ? 'answered' : 'refused'}>{status}</span>
        {code !== null && (
          <>
            {' '}
            <code>{code}</code>
          </>
        )}
      </td>
      <td data-label="Key" class="long">
        <bdi>{keyName}</bdi>
      </td>
      <td data-label="Took" class="number">
        {ms} ms
      </td>
      <td data-label="When">
        <Age iso={at} />
      </td>
      <td data-label="Id" class="long">
        <code class="request-id">{requestId}</code>
      </td>
    </tr>
  );
}
