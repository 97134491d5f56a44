import { formatDay } from '../format.ts';
import type { Key } from '../pages/keys.tsx';
import { Age, DateOf } from './time.tsx';

interface Props {
  readonly keys: readonly Key[];
  onAsk(what: 'regenerate' | 'revoke', about: Key): void;
}

/** The keys that work. */
export function KeyTable({ keys, onAsk }: Props) {
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
          <th scope="col">Last used</th>
          <th scope="col">
            <span class="unseen">What can be done</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <NameAndHint of={key} />
            <td data-label="Created">
              <DateOf iso={key.createdAt} />
            </td>
            <td data-label="Works until">
              {key.expires === null ? 'no end' : `${formatDay(key.expires)} (UTC)`}
            </td>
            <td data-label="Last used">
              <LastUse of={key} />
            </td>
            <td>
              <Actions of={key} onAsk={onAsk} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NameAndHint({ of: { name, hint } }: { of: Key }) {
  return (
    <>
      <th scope="row" class="long">
        <bdi>{name}</bdi>
      </th>
      <td data-label="Key">
        <code>…{hint}</code>
      </td>
    </>
  );
}

function LastUse({ of: { lastUsedAt, lastUsedFrom } }: { of: Key }) {
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

function Actions({ of: key, onAsk }: { of: Key } & Pick<Props, 'onAsk'>) {
  return (
    <div class="row">
      <button
        type="button"
        onClick={() => onAsk('regenerate', key)}
        aria-label={`Regenerate ${key.name}`}
      >
        Regenerate…
      </button>
      <button type="button" onClick={() => onAsk('revoke', key)} aria-label={`Revoke ${key.name}`}>
        Revoke…
      </button>
    </div>
  );
}

/** The keys that do not work any more. */
export function EndedKeys({ keys }: { keys: readonly Key[] }) {
  if (keys.length === 0) return null;
  return (
    <details class="more">
      <summary>Revoked and expired keys ({keys.length})</summary>
      <table class="stack">
        <caption class="unseen">Revoked and expired keys</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Ended</th>
            <th scope="col">Last used</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <NameAndHint of={key} />
              <td data-label="Ended">
                <End of={key} />
              </td>
              <td data-label="Last used">
                <LastUse of={key} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function End({ of: { revokedAt, expires } }: { of: Key }) {
  if (revokedAt !== null) {
    return (
      <>
        revoked <DateOf iso={revokedAt} />
      </>
    );
  }
  return <>expired{expires !== null && ` after ${formatDay(expires)} (UTC)`}</>;
}
