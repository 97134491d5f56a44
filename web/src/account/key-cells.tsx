import { formatDay } from '../ui/format.ts';
import { LocalDate } from '../ui/time.tsx';
import type { ApiKey } from './responses.ts';

/** Cells that the tables of API keys share. */

interface Props {
  readonly apiKey: ApiKey;
}

export function NameAndHint({ apiKey: { name, hint } }: Props) {
  return (
    <>
      <th scope="row" class="long">
        <bdi>{name}</bdi>
      </th>
      <td data-label="Key">
        <code class="key-hint">…{hint}</code>
      </td>
    </>
  );
}

/** When a key was made, and until when it works. */
export function KeyLifetime({ apiKey: { createdAt, expires } }: Props) {
  return (
    <>
      <td data-label="Created">
        <LocalDate iso={createdAt} />
      </td>
      <td data-label="Works until">
        {expires === null ? 'no end' : `${formatDay(expires)} (UTC)`}
      </td>
    </>
  );
}
