import { formatCount } from '../ui/format.ts';
import { ErrorAdvice } from './error-advice.tsx';
import type { RequestCount } from './responses.ts';
import { countErrors, type KeyUsage, usageByKey } from './usage-calls.ts';

interface Props {
  readonly counts: readonly RequestCount[];
}

/** How much each key has asked of each endpoint. */
export function KeyUsageTable({ counts }: Props) {
  const keys = usageByKey(counts);
  if (keys.length === 0) return null;
  return (
    <>
      <h2>By key and endpoint</h2>
      <table class="by-key">
        <caption class="sr-only">Requests of 30 days by key and endpoint</caption>
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

/** Which errors were answered, and what to do about each. */
export function ErrorTable({ counts }: Props) {
  const errors = countErrors(counts);
  return (
    <>
      <h2>Errors</h2>
      {errors.length === 0 && <p>None: every request was answered.</p>}
      {errors.length > 0 && (
        <table class="stack">
          <caption class="sr-only">Errors of 30 days by code</caption>
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col" class="number">
                Times
              </th>
              <th scope="col">Of</th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ code, count, endpoints }) => (
              <tr key={code}>
                <th scope="row">
                  <code>{code}</code>
                </th>
                <td class="number" data-label="Times">
                  {formatCount(count)}
                </td>
                <td data-label="Of">
                  {endpoints.map((endpoint) => (
                    <code key={endpoint}>{endpoint} </code>
                  ))}
                </td>
                <td>
                  <ErrorAdvice code={code} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
