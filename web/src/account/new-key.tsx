import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isSheetOnly, sheetAddress } from '../../../src/domain/key-scopes.ts';
import { withQuery } from '../api/links.ts';
import { postOnce } from '../api/post-once.ts';
import type { ApiKey, NewApiKey } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { CodeSample, LanguageChoice, useLanguage } from '../ui/code-sample.tsx';
import { formatExport } from '../ui/code-samples.ts';
import { Field, Form, type Values } from '../ui/form.tsx';
import { CopyableText } from '../ui/parts.tsx';
import { useServerClock } from '../ui/time.tsx';
import { ExpiryField, RestrictionFields, readKeySettings } from './key-settings.tsx';
import { ErrorAdvice } from './request-tables.tsx';

/** A new API key with its secret, which is not shown again. */
export function NewKey({ apiKey, onDismiss }: { apiKey: NewApiKey; onDismiss(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="fresh" aria-labelledby="fresh">
      <h2 id="fresh" ref={heading} tabIndex={-1}>
        The new key “<bdi>{apiKey.name}</bdi>”
      </h2>
      <p>
        Copy it now. It is not shown again after you leave this page, and the service does not store
        it.
      </p>
      <CopyableText text={apiKey.key} label="Copy the key" />
      {isSheetOnly(apiKey.scopes) ? (
        <SheetAddress apiKey={apiKey.key} />
      ) : (
        <FirstCall apiKey={apiKey.key} />
      )}
      <button type="button" onClick={onDismiss}>
        I copied it, hide it
      </button>
    </section>
  );
}

interface CreateProps {
  readonly keys: readonly ApiKey[];
  onCreated(key: NewApiKey): void;
  onFailed(): void;
}

/** The form that creates an API key, unless the account has the maximum number. */
export function CreateKey({ keys, onCreated, onFailed }: CreateProps) {
  const { maxKeys } = useSession();
  const room = maxKeys - keys.filter(({ status }) => status === 'active').length;
  return (
    <>
      <h2>Create a key</h2>
      {room > 0 ? (
        <>
          <p>
            {room} of {maxKeys} keys left.
          </p>
          <CreateKeyForm onCreated={onCreated} onFailed={onFailed} />
        </>
      ) : (
        <p>The account has {maxKeys} active keys, the most it may have. Revoke one to make room.</p>
      )}
    </>
  );
}

function CreateKeyForm({ onCreated, onFailed }: Omit<CreateProps, 'keys'>) {
  const now = useServerClock();
  const { keyExpires } = useSession();
  const create = async (values: Values) => {
    const { name = '' } = values;
    const body = { ...(name.trim() && { name: name.trim() }), ...readKeySettings(values) };
    const { data } = await postOnce<{ data: NewApiKey }>('/dashboard/keys', body).catch((error) => {
      // Another tab may have created a key, or the response to this creation was lost.
      onFailed();
      throw error;
    });
    onCreated(data);
  };
  return (
    <Form action="Create the key" onSubmit={create}>
      <Field
        name="name"
        label="Name"
        hint="A name to recognize the key by, such as “shop server”."
        maxLength={100}
        isOptional
      />
      <ExpiryField value={keyExpires ?? ''} min={new Date(now).toISOString().slice(0, 10)} />
      <details>
        <summary>Restrict the key</summary>
        <div class="restrictions">
          <RestrictionFields />
        </div>
      </details>
    </Form>
  );
}

const FIRST_CARD = 'charizard';

/** The address from which a spreadsheet loads a table of cards, with the key in it. */
function SheetAddress({ apiKey }: { apiKey: string }) {
  const address = `${sheetAddress(location.origin, apiKey)}&q=${FIRST_CARD}`;
  return (
    <section aria-labelledby="sheet">
      <h3 id="sheet">Load prices into a spreadsheet</h3>
      <p>
        Excel and LibreOffice load a table from this address. Replace <code>q={FIRST_CARD}</code>{' '}
        with another search, or with <code>set=</code> and the id of a set:
      </p>
      <CopyableText text={address} label="Copy the address" />
      <p>In Google Sheets, put this formula into a cell:</p>
      <CopyableText text={`=IMPORTDATA("${address}")`} label="Copy the formula" />
      <p>
        Anyone who has the address can load tables within your quota, and nothing else. Revoke the
        key to stop it.
      </p>
    </section>
  );
}

/** Makes a call with an API key, and shows its response and the code that makes it. */
function FirstCall({ apiKey }: { apiKey: string }) {
  const [name, setName] = useState(FIRST_CARD);
  const [answer, setAnswer] = useState<Answer>();
  const [language, chooseLanguage] = useLanguage();
  const send = async ({ q = '' }: Values) => {
    setAnswer(await callWithKey(searchPath(q), apiKey));
    setName(q);
  };
  return (
    <div class="first-call">
      <section aria-labelledby="call">
        <h3 id="call">Make your first call</h3>
        <Form action="Send the call" onSubmit={send} key={name}>
          <Field
            name="q"
            label="Search for a card"
            hint="This page sends the call with the new key. It uses one request of the quota."
            value={name}
            maxLength={100}
          />
        </Form>
        <div role="status">{answer && <AnswerView answer={answer} />}</div>
      </section>
      <section aria-labelledby="program">
        <h3 id="program">Make the call from a program</h3>
        <p>
          The program reads the key from an environment variable, so the key is not in your code:
        </p>
        <CopyableText text={formatExport(apiKey)} label="Copy the command" />
        <LanguageChoice language={language} onChoose={chooseLanguage} />
        <CodeSample language={language} path={searchPath(name)} label="Copy the code" />
      </section>
    </div>
  );
}

function searchPath(q: string): string {
  return withQuery('/v1/search', { q, limit: 1 });
}

function AnswerView({
  answer: { status, statusText, ms, headers, json, code },
}: {
  answer: Answer;
}) {
  return (
    <div class="answer">
      <p>
        <strong class={code === undefined ? 'answered' : 'refused'}>
          {status} {statusText}
        </strong>{' '}
        <span class="quiet">in {ms} ms</span>
      </p>
      {code !== undefined && (
        <p>
          <ErrorAdvice code={code} />
        </p>
      )}
      <dl class="headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <pre class="json">
        <code>{json}</code>
      </pre>
    </div>
  );
}

/* An API call that a page makes with a key, in the same way as a program. */

/** A response. */
interface Answer {
  readonly status: number;
  /** The text of the status: `OK`. */
  readonly statusText: string;
  /** The time until the whole response arrived, in milliseconds. */
  readonly ms: number;
  /** The headers about the quota and the request id, if they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, indented. */
  readonly json: string;
  /** The code of the error; undefined if the call succeeded. */
  readonly code: string | undefined;
}

/** The headers about the quota, and the id of the request. */
const SHOWN_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
];

/**
 * Calls the API with a key in the header, and without the session cookie.
 *
 * @throws Error if the service cannot be reached.
 */
async function callWithKey(path: string, apiKey: string): Promise<Answer> {
  const started = performance.now();
  const response = await fetch(path, {
    headers: { 'X-API-Key': apiKey },
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => {
    throw new Error('Cannot reach the service right now. Try again in a moment.');
  });
  const body: unknown = await response.json().catch(() => null);
  const ms = Math.round(performance.now() - started);
  const { status, statusText } = response;
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    status,
    statusText,
    ms,
    headers,
    json: JSON.stringify(body, null, 2),
    code: codeOf(body),
  };
}

function codeOf(body: unknown): string | undefined {
  return (body as { error?: { code?: string } } | null)?.error?.code;
}
