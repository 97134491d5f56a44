import { useEffect, useRef } from 'preact/hooks';
import { post } from '../api.ts';
import { useServerClock } from '../clock.ts';
import type { FreshKey, Key } from '../pages/keys.tsx';
import { useSession } from '../session.tsx';
import { Field, Form } from './form.tsx';
import { Command, curlLine } from './try-it.tsx';

/** A new key in full. It is here and nowhere else, until it is dismissed. */
export function NewKey({ fresh, onDismiss }: { fresh: FreshKey; onDismiss(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="fresh" aria-labelledby="fresh">
      <h2 id="fresh" ref={heading} tabIndex={-1}>
        The new key “<bdi>{fresh.name}</bdi>”
      </h2>
      <p>
        Copy it now. It is shown this once and is gone as soon as you leave this page; the service
        itself does not know it.
      </p>
      <Command text={fresh.key} label="Copy the key" />
      <p>To try it in a terminal:</p>
      <Command text={curlLine('/v1/search?q=charizard', fresh.key)} label="Copy the command" />
      <button type="button" onClick={onDismiss}>
        I have it, hide it
      </button>
    </section>
  );
}

interface CreateProps {
  readonly keys: readonly Key[];
  onCreated(key: FreshKey): void;
  onFailed(): void;
}

/** Makes one more key, if there is room. */
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
          <CreateForm onCreated={onCreated} onFailed={onFailed} />
        </>
      ) : (
        <p>{maxKeys} keys work, which is the most an account may have. Revoke one to make room.</p>
      )}
    </>
  );
}

function CreateForm({ onCreated, onFailed }: Omit<CreateProps, 'keys'>) {
  const now = useServerClock();
  const create = async ({ name, expires }: Record<string, string>) => {
    const wanted = { ...(name?.trim() && { name: name.trim() }), ...(expires && { expires }) };
    const { data } = await post<{ data: FreshKey }>('/dashboard/keys', wanted).catch((error) => {
      // Another tab may have made one, or the answer was lost and the key is there.
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
        min={new Date(now).toISOString().slice(0, 10)}
        isOptional
      />
    </Form>
  );
}
