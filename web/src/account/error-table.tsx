import { formatCount } from '../ui/format.ts';
import { ErrorAdvice } from './error-advice.tsx';

/** How often an error was answered. */
interface CountedError {
  readonly code: string;
  readonly count: number;
  /** The endpoints that answered it, where that is told. */
  readonly endpoints?: readonly string[];
}

interface Props {
  readonly errors: readonly CountedError[];
  /** What the table is of, for readers who do not see the heading above it. */
  readonly caption: string;
  /** What is said where there are none. */
  readonly none: string;
}

/** Which errors were answered, and what to do about each. */
export function ErrorTable({ errors, caption, none }: Props) {
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
