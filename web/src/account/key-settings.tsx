import {
  ALL_SCOPE_NAMES,
  isOperatorScope,
  KEY_SCOPE_NAMES,
  KEY_SCOPES,
  OPERATOR_SCOPES,
} from '../../../src/domain/key-scopes.ts';
import { post } from '../api/call.ts';
import type { ApiKey } from '../api/responses.ts';
import { useAccount } from '../api/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { formatCount, formatDay } from '../ui/format.ts';
import { LocalDate } from '../ui/time.tsx';

/** What an API key may do less than its account. */
type Restrictions = Pick<ApiKey, 'scopes' | 'dailyRequests' | 'addresses' | 'inQuery'>;

const SCOPES = { ...KEY_SCOPES, ...OPERATOR_SCOPES };

const NONE: Restrictions = { scopes: null, dailyRequests: null, addresses: null, inQuery: true };

/** The fields of a form for what an API key may do. */
export function RestrictionFields({ restrictions = NONE }: { restrictions?: Restrictions }) {
  const { scopes, dailyRequests, addresses, inQuery } = restrictions;
  const { isOperator } = useAccount();
  const names = isOperator ? ALL_SCOPE_NAMES : KEY_SCOPE_NAMES;
  return (
    <>
      <fieldset class="scopes">
        <legend>May be used for</legend>
        {names.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              name={`scope-${scope}`}
              defaultChecked={scopes === null ? !isOperatorScope(scope) : scopes.includes(scope)}
            />
            <span>
              <strong>{scope}</strong>: {SCOPES[scope]}
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        name="limit"
        label="Requests a day"
        hint="The most that it may use of the quota. Without a number it may use all of it."
        value={dailyRequests === null ? '' : String(dailyRequests)}
        autocomplete="off"
        maxLength={9}
        isOptional
      />
      <Field
        name="addresses"
        label="Works from"
        hint="Addresses and networks, such as “203.0.113.7, 2001:db8::/48”. Without any, from everywhere."
        value={(addresses ?? []).join(', ')}
        autocomplete="off"
        maxLength={1000}
        isOptional
      />
      <label class="check">
        <input type="checkbox" name="headerOnly" defaultChecked={!inQuery} />
        <span>
          Works in the header only, not as <code>?api_key=</code> in the address
        </span>
      </label>
    </>
  );
}

/**
 * What the fields say, as calls take it.
 *
 * @throws Error when the limit is no number, or nothing is allowed.
 */
export function readRestrictions(values: Record<string, string>) {
  const { limit = '', addresses = '', headerOnly } = values;
  const scopes = ALL_SCOPE_NAMES.filter((scope) => values[`scope-${scope}`]);
  if (scopes.length === 0) throw new Error('Choose at least one thing that it may be used for.');
  if (!/^\d*$/.test(limit.trim())) throw new Error('Requests a day must be a whole number.');
  return {
    scopes,
    dailyRequests: limit.trim() === '' ? null : Number(limit),
    addresses: addresses.split(/[\s,]+/).filter((part) => part !== ''),
    inQuery: headerOnly === undefined,
  };
}

/** What an API key may do less than its account, in a few words; a dash for nothing less. */
export function RestrictionSummary({ apiKey }: { apiKey: ApiKey }) {
  const { scopes, dailyRequests, usedToday, addresses, inQuery } = apiKey;
  const parts = [
    ...(scopes === null ? [] : [scopes.join(', ')]),
    ...(dailyRequests === null
      ? []
      : [`${formatCount(usedToday ?? 0)} of ${formatCount(dailyRequests)} requests today`]),
    ...(addresses === null ? [] : [`from ${addresses.join(', ')}`]),
    ...(inQuery ? [] : ['header only']),
  ];
  if (parts.length === 0) return <>everything</>;
  return <span class="long">{parts.join(' · ')}</span>;
}

/** Cells that the tables of API keys share. */

interface CellProps {
  readonly apiKey: ApiKey;
}

export function NameAndHint({ apiKey: { name, hint } }: CellProps) {
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
export function KeyLifetime({ apiKey: { createdAt, expires } }: CellProps) {
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

interface ChangeKeyProps {
  readonly apiKey: ApiKey;
  onClose(): void;
  onChanged(): void;
}

/** Changes the name of an API key, how long it works and what it may do. */
export function ChangeKey({ apiKey, onClose, onChanged }: ChangeKeyProps) {
  const change = async (values: Record<string, string>) => {
    const { name = '', expires = '' } = values;
    await post(`/dashboard/keys/${apiKey.id}`, {
      name: name.trim(),
      expires: expires || 'never',
      ...readRestrictions(values),
    });
    onClose();
    onChanged();
  };
  return (
    <Dialog title="Change the key" onClose={onClose}>
      <Form action="Change the key" onSubmit={change}>
        <p>It holds from its next request on. The text of the key stays.</p>
        <Field name="name" label="Name" value={apiKey.name} autocomplete="off" maxLength={100} />
        <Field
          name="expires"
          label="Works until"
          hint="The last day, in UTC. Without one it works until it is revoked."
          type="date"
          value={apiKey.expires ?? ''}
          isOptional
        />
        <RestrictionFields restrictions={apiKey} />
      </Form>
    </Dialog>
  );
}
