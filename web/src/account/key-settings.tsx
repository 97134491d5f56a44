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
import { Field, type FieldProps, Form, type Values } from '../ui/form.tsx';
import { formatCount, formatDay } from '../ui/format.ts';
import type { Column } from '../ui/table.tsx';
import { LocalDate } from '../ui/time.tsx';

/** The restrictions of an API key compared with its account. */
type Restrictions = Pick<ApiKey, 'scopes' | 'dailyRequests' | 'addresses' | 'inQuery'>;

const SCOPES = { ...KEY_SCOPES, ...OPERATOR_SCOPES };

const NONE: Restrictions = { scopes: null, dailyRequests: null, addresses: null, inQuery: true };

/** The field of a form for the last day of an API key. */
export function ExpiryField(props: Pick<FieldProps, 'value' | 'min'>) {
  return (
    <Field
      name="expires"
      label="Works until"
      hint="The last day, in UTC. Leave it empty for a key that works until you revoke it."
      type="date"
      isOptional
      {...props}
    />
  );
}

/** The fields of a form for the restrictions of an API key. */
export function RestrictionFields({ restrictions = NONE }: { restrictions?: Restrictions }) {
  const { scopes, dailyRequests, addresses, inQuery } = restrictions;
  const { isOperator } = useAccount();
  const names = isOperator ? ALL_SCOPE_NAMES : KEY_SCOPE_NAMES;
  return (
    <>
      <fieldset class="checks">
        <legend>Permissions</legend>
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
        label="Requests per day"
        hint="The share of the quota that the key may use. Leave it empty for the whole quota."
        value={dailyRequests === null ? '' : String(dailyRequests)}
        maxLength={9}
        isOptional
      />
      <Field
        name="addresses"
        label="Works from"
        hint={
          'Addresses and networks, such as “203.0.113.7, 2001:db8::/48”. Leave it empty to allow ' +
          'all addresses.'
        }
        value={(addresses ?? []).join(', ')}
        maxLength={1000}
        isOptional
      />
      <label class="check">
        <input type="checkbox" name="headerOnly" defaultChecked={!inQuery} />
        <span>
          Works only in the header, not as <code>?api_key=</code> in the address
        </span>
      </label>
    </>
  );
}

/**
 * Reads the fields of a form for an API key, except its name, into the body of a call.
 *
 * @throws Error if the limit is not a number, or no permission is chosen.
 */
export function readKeySettings(values: Values) {
  const { expires = '', limit = '', addresses = '', headerOnly } = values;
  const scopes = ALL_SCOPE_NAMES.filter((scope) => values[`scope-${scope}`]);
  if (scopes.length === 0) throw new Error('Choose at least one permission.');
  if (!/^\d*$/.test(limit.trim())) throw new Error('Requests per day must be a whole number.');
  return {
    expires: expires || 'never',
    scopes,
    dailyRequests: limit.trim() === '' ? null : Number(limit),
    addresses: addresses.split(/[\s,]+/).filter((part) => part !== ''),
    inQuery: headerOnly === undefined,
  };
}

/** Summarizes the restrictions of an API key. */
export function RestrictionSummary({ apiKey }: { apiKey: ApiKey }) {
  const { scopes, dailyRequests, usedToday, addresses, inQuery } = apiKey;
  const parts = [
    ...(scopes === null ? [] : [scopes.join(', ') || 'nothing']),
    ...(dailyRequests === null
      ? []
      : [`${formatCount(usedToday ?? 0)} of ${formatCount(dailyRequests)} requests today`]),
    ...(addresses === null ? [] : [`from ${addresses.join(', ')}`]),
    ...(inQuery ? [] : ['header only']),
  ];
  if (parts.length === 0) return <>everything</>;
  return <span class="long">{parts.join(' · ')}</span>;
}

/** The columns that name API keys. */
export const NAME_COLUMNS: readonly Column<ApiKey>[] = [
  { label: 'Name', kind: 'long', cell: ({ name }) => <bdi>{name}</bdi> },
  { label: 'Key', cell: ({ hint }) => <code class="key-hint">…{hint}</code> },
];

/** The columns that name API keys and show when they were created and when they expire. */
export const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  ...NAME_COLUMNS,
  { label: 'Created', cell: ({ createdAt }) => <LocalDate iso={createdAt} /> },
  {
    label: 'Works until',
    cell: ({ expires }) => (expires === null ? 'never' : `${formatDay(expires)} (UTC)`),
  },
];

interface ChangeKeyProps {
  readonly apiKey: ApiKey;
  onClose(): void;
  onChanged(): void;
}

/** Changes the name of an API key, its expiry and its restrictions. */
export function ChangeKey({ apiKey, onClose, onChanged }: ChangeKeyProps) {
  const change = async (values: Values) => {
    const { name = '' } = values;
    const body = { name: name.trim(), ...readKeySettings(values) };
    await post(`/dashboard/keys/${apiKey.id}`, body);
    onClose();
    onChanged();
  };
  return (
    <Dialog title="Change the key" onClose={onClose}>
      <Form action="Change the key" onSubmit={change}>
        <p>The change applies from the next request. The key itself stays the same.</p>
        <Field name="name" label="Name" value={apiKey.name} maxLength={100} />
        <ExpiryField value={apiKey.expires ?? ''} />
        <RestrictionFields restrictions={apiKey} />
      </Form>
    </Dialog>
  );
}
