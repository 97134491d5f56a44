import './account.css';
import { useState } from 'preact/hooks';
import { API_ERRORS } from '../../../src/domain/errors.ts';
import type { RecentRequest, RequestCount } from '../api/responses.ts';
import { formatCount } from '../ui/format.ts';
import { InlineCode } from '../ui/parts.tsx';
import { Age } from '../ui/time.tsx';
import { countErrors, type KeyUsage, usageByKey } from './usage.ts';

interface KeyUsageTableProps {
  readonly counts: readonly RequestCount[];
}

/** The requests of each key to each endpoint. */
export function KeyUsageTable({ counts }: KeyUsageTableProps) {
  const keys = usageByKey(counts);
  if (keys.length === 0) return null;
  return (
    <>
      <h2>By key and endpoint</h2>
      <table class="by-key">
        <caption class="sr-only">Requests in 30 days by key and endpoint</caption>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              Errors
            </th>
          </tr>
        </thead>
        {keys.map((usage) => (
          <KeyRows key={usage.keyId} usage={usage} />
        ))}
      </table>
    </>
  );
}

function KeyRows({ usage: { keyName, count, endpoints } }: { usage: KeyUsage }) {
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" class="long">
          <bdi>{keyName}</bdi>
        </th>
        <td class="number">{formatCount(count)}</td>
        <td class="number">{formatErrors(endpoints.reduce((sum, use) => sum + use.errors, 0))}</td>
      </tr>
      {endpoints.map(({ endpoint, count: requests, errors }) => (
        <tr key={endpoint}>
          <td>
            <code>{endpoint}</code>
          </td>
          <td class="number">{formatCount(requests)}</td>
          <td class="number">{formatErrors(errors)}</td>
        </tr>
      ))}
    </tbody>
  );
}

function formatErrors(errors: number): string {
  return errors === 0 ? '–' : formatCount(errors);
}

/** The errors of the last days, with advice for each. */
export function RequestErrors({ counts }: KeyUsageTableProps) {
  return (
    <>
      <h2>Errors</h2>
      <ErrorTable
        errors={countErrors(counts)}
        caption="Errors in 30 days by code"
        none="No errors: every request was answered."
      />
    </>
  );
}

/** The requests that are shown at first. */
const FIRST = 10;

/** The last requests of the account, with the ids by which the operator finds them in the log. */
export function RecentTable({ requests }: { requests: readonly RecentRequest[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? requests : requests.slice(0, FIRST);
  return (
    <>
      <h2>Last requests</h2>
      <p class="quiet">
        Queries and addresses are not stored. Quote the id of a request when you ask the operator
        about it.
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

/** An error with the number of times it was returned. */
interface CountedError {
  readonly code: string;
  readonly count: number;
  /** The endpoints that returned the error, if known. */
  readonly endpoints?: readonly string[];
}

interface ErrorTableProps {
  readonly errors: readonly CountedError[];
  /** The name of the table for screen readers. */
  readonly caption: string;
  /** The text if there are no errors. */
  readonly none: string;
}

/** A table of errors, with advice for each. */
export function ErrorTable({ errors, caption, none }: ErrorTableProps) {
  if (errors.length === 0) return <p>{none}</p>;
  const hasEndpoints = errors.some(({ endpoints }) => endpoints);
  return (
    <table class="stack">
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Code</th>
          <th scope="col" class="number">
            Times
          </th>
          {hasEndpoints && <th scope="col">Of</th>}
          <th scope="col">What to do</th>
        </tr>
      </thead>
      <tbody>
        {errors.map((error) => (
          <ErrorRow key={error.code} error={error} />
        ))}
      </tbody>
    </table>
  );
}

function ErrorRow({ error: { code, count, endpoints } }: { error: CountedError }) {
  return (
    <tr>
      <th scope="row">
        <code>{code}</code>
      </th>
      <td class="number" data-label="Times">
        {formatCount(count)}
      </td>
      {endpoints && (
        <td data-label="Of">
          {endpoints.map((endpoint) => (
            <code key={endpoint}>{endpoint} </code>
          ))}
        </td>
      )}
      <td>
        <ErrorAdvice code={code} />
      </td>
    </tr>
  );
}

/** The advice for an error of the API by its code; nothing for an unknown code. */
export function ErrorAdvice({ code }: { code: string }) {
  const known = Object.entries(API_ERRORS).find(([name]) => name === code);
  return known ? <InlineCode text={known[1].advice} /> : null;
}
