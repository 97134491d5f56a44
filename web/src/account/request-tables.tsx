import { formatCount } from '../ui/format.ts';
import { ErrorTable } from './error-table.tsx';
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

/** Which errors were answered in the last days, and what to do about each. */
export function RequestErrors({ counts }: Props) {
  return (
    <>
      <h2>Errors</h2>
      <ErrorTable
        errors={countErrors(counts)}
        caption="Errors of 30 days by code"
        none="None: every request was answered."
      />
    </>
  );
}
