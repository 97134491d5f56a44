import { post } from '../api/call.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { RestrictionFields, readRestrictions } from './key-restrictions.tsx';
import type { ApiKey } from './responses.ts';

interface Props {
  readonly apiKey: ApiKey;
  onClose(): void;
  onChanged(): void;
}

/** Changes the name of an API key, how long it works and what it may do. */
export function ChangeKey({ apiKey, onClose, onChanged }: Props) {
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
