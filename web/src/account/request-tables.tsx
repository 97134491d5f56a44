import { useState } from 'preact/hooks';
import { API_ERRORS } from '../../../src/domain/errors.ts';
import type { RecentRequest, RequestCount } from '../api/responses.ts';
import { formatCount } from '../ui/format.ts';
import { InlineCode } from '../ui/parts.tsx';
import { type Column, Table } from '../ui/table.tsx';
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
        none="No request has failed in these 30 days."
      />
    </>
  );
}

/** The number of requests shown at first. */
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
      <Table
        caption="The last requests, newest first"
        look="stack recent"
        columns={RECENT_COLUMNS}
        rows={shown}
        keyOf={({ requestId }) => requestId}
      />
      {requests.length > shown.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {formatCount(requests.length)}
        </button>
      )}
    </>
  );
}

const RECENT_COLUMNS: readonly Column<RecentRequest>[] = [
  { label: 'Endpoint', cell: ({ endpoint }) => <code>{endpoint}</code> },
  { label: 'Answer', cell: answerOf },
  { label: 'Key', kind: 'long', cell: ({ keyName }) => <bdi>{keyName}</bdi> },
  { label: 'Took', kind: 'number', cell: ({ ms }) => `${ms} ms` },
  { label: 'When', cell: ({ at }) => <Age iso={at} /> },
  {
    label: 'Id',
    kind: 'long',
    cell: ({ requestId }) => <code class="request-id">{requestId}</code>,
  },
];

function answerOf({ status, code }: RecentRequest) {
  return (
    <>
      <span class={status < 400 ? 'answered' : 'refused'}>{status}</span>
      {code !== null && (
        <>
          {' '}
          <code>{code}</code>
        </>
      )}
    </>
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
  const columns: readonly Column<CountedError>[] = [
    { label: 'Code', cell: ({ code }) => <code>{code}</code> },
    { label: 'Times', kind: 'number', cell: ({ count }) => formatCount(count) },
    ...(errors.some(({ endpoints }) => endpoints) ? [ENDPOINTS] : []),
    { label: 'Solution', isBare: true, cell: ({ code }) => <ErrorAdvice code={code} /> },
  ];
  return <Table caption={caption} columns={columns} rows={errors} keyOf={({ code }) => code} />;
}

const ENDPOINTS: Column<CountedError> = {
  label: 'Of',
  cell: ({ endpoints = [] }) =>
    endpoints.map((endpoint) => <code key={endpoint}>{endpoint} </code>),
};

/** The advice for an error of the API by its code; nothing for an unknown code. */
export function ErrorAdvice({ code }: { code: string }) {
  const known = Object.entries(API_ERRORS).find(([name]) => name === code);
  return known ? <InlineCode text={known[1].advice} /> : null;
}
