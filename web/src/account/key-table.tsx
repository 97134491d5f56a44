import { ActionsHeading } from '../ui/actions-heading.tsx';
import { formatDay } from '../ui/format.ts';
import { Age, LocalDate } from '../ui/time.tsx';
import { KeyLifetime, NameAndHint } from './key-cells.tsx';
import { RestrictionSummary } from './key-restrictions.tsx';
import type { ApiKey } from './responses.ts';

export type KeyAction = 'change' | 'regenerate' | 'revoke';

interface Props {
  readonly keys: readonly ApiKey[];
  onAction(action: KeyAction, apiKey: ApiKey): void;
}

/** The API keys that work, with what can be done with each. */
export function KeyTable({ keys, onAction }: Props) {
  if (keys.length === 0) return <p>The account has no key that works.</p>;
  return (
    <table class="stack">
      <caption>Keys that work</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Key</th>
          <th scope="col">Created</th>
          <th scope="col">Works until</th>
          <th scope="col">May do</th>
          <th scope="col">Last used</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {keys.map((apiKey) => (
          <tr key={apiKey.id}>
            <NameAndHint apiKey={apiKey} />
            <KeyLifetime apiKey={apiKey} />
            <td data-label="May do">
              <RestrictionSummary apiKey={apiKey} />
            </td>
            <td data-label="Last used">
              <LastUsed apiKey={apiKey} />
            </td>
            <td>
              <KeyActions apiKey={apiKey} onAction={onAction} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LastUsed({ apiKey: { lastUsedAt, lastUsedFrom } }: { apiKey: ApiKey }) {
  if (lastUsedAt === null) return <>never</>;
  return (
    <>
      <Age iso={lastUsedAt} />
      {lastUsedFrom !== null && (
        <>
          {' from '}
          <code class="long">{lastUsedFrom}</code>
        </>
      )}
    </>
  );
}

function KeyActions({ apiKey, onAction }: { apiKey: ApiKey } & Pick<Props, 'onAction'>) {
  return (
    <div class="row">
      <button
        type="button"
        onClick={() => onAction('change', apiKey)}
        aria-label={`Change ${apiKey.name}`}
      >
        Change…
      </button>
      <button
        type="button"
        onClick={() => onAction('regenerate', apiKey)}
        aria-label={`Regenerate ${apiKey.name}`}
      >
        Regenerate…
      </button>
      <button
        type="button"
        onClick={() => onAction('revoke', apiKey)}
        aria-label={`Revoke ${apiKey.name}`}
      >
        Revoke…
      </button>
    </div>
  );
}

/** The API keys that do not work any more. */
export function EndedKeys({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) return null;
  return (
    <details class="more">
      <summary>Revoked and expired keys ({keys.length})</summary>
      <table class="stack">
        <caption class="sr-only">Revoked and expired keys</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Ended</th>
            <th scope="col">Last used</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((apiKey) => (
            <tr key={apiKey.id}>
              <NameAndHint apiKey={apiKey} />
              <td data-label="Ended">
                <KeyEnd apiKey={apiKey} />
              </td>
              <td data-label="Last used">
                <LastUsed apiKey={apiKey} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function KeyEnd({ apiKey: { revokedAt, expires } }: { apiKey: ApiKey }) {
  if (revokedAt !== null) {
    return (
      <>
        revoked <LocalDate iso={revokedAt} />
      </>
    );
  }
  return <>expired{expires !== null && ` after ${formatDay(expires)} (UTC)`}</>;
}
