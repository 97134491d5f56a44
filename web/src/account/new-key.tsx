import { useLayoutEffect, useRef } from 'preact/hooks';
import { post } from '../api/call.ts';
import { CopyableText } from '../ui/copyable-text.tsx';
import { Field, Form } from '../ui/form.tsx';
import { useServerClock } from '../ui/time.tsx';
import { FirstCall } from './first-call.tsx';
import { RestrictionFields, readRestrictions } from './key-restrictions.tsx';
import type { ApiKey, NewApiKey } from './responses.ts';
import { useSession } from './session.tsx';

/** A new API key with its secret, which no other page and no later call shows. */
export function NewKey({ apiKey, onDismiss }: { apiKey: NewApiKey; onDismiss(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="fresh" aria-labelledby="fresh">
      <h2 id="fresh" ref={heading} tabIndex={-1}>
        The new key “<bdi>{apiKey.name}</bdi>”
      </h2>
      <p>
        Copy it now. It is shown this once and is gone as soon as you leave this page; the service
        itself does not know it.
      </p>
      <CopyableText text={apiKey.key} label="Copy the key" />
      <FirstCall apiKey={apiKey.key} />
      <button type="button" onClick={onDismiss}>
        I have it, hide it
      </button>
    </section>
  );
}

interface CreateProps {
  readonly keys: readonly ApiKey[];
  onCreated(key: NewApiKey): void;
  onFailed(): void;
}

/** The form that creates an API key, unless the account has as many as it may. */
export function CreateKey({ keys, onCreated, onFailed }: CreateProps) {
  const { maxKeys } = useSession();
  const room = maxKeys - keys.filter(({ status }) => status === 'active').length;
  return (
    <>
      <h2>Create a key</h2>
      {room > 0 ? (
        <>
          <p>
            {room} of {maxKeys} left.
          </p>
          <CreateKeyForm onCreated={onCreated} onFailed={onFailed} />
        </>
      ) : (
        <p>{maxKeys} keys work, which is the most an account may have. Revoke one to make room.</p>
      )}
    </>
  );
}

function CreateKeyForm({ onCreated, onFailed }: Omit<CreateProps, 'keys'>) {
  const now = useServerClock();
  const { keyExpires } = useSession();
  const create = async (values: Record<string, string>) => {
    const { name = '', expires = '' } = values;
    const restrictions = readRestrictions(values);
    const body = {
      ...(name.trim() && { name: name.trim() }),
      expires: expires || 'never',
      ...restrictions,
    };
    const { data } = await post<{ data: NewApiKey }>('/dashboard/keys', body).catch((error) => {
      // Another tab may have created a key, or this one was created and the response was lost.
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
        hint="To tell your keys apart, such as “shop server”."
        autocomplete="off"
        maxLength={100}
        isOptional
      />
      <Field
        name="expires"
        label="Works until"
        hint="The last day, in UTC. Without one it works until it is revoked."
        type="date"
        value={keyExpires ?? ''}
        min={new Date(now).toISOString().slice(0, 10)}
        isOptional
      />
      <details>
        <summary>Restrict what it may do</summary>
        <div class="restrictions">
          <RestrictionFields />
        </div>
      </details>
    </Form>
  );
}
