import { useState } from 'preact/hooks';
import { Field, type FieldProps } from '../ui/form.tsx';
import { useSession } from './session.tsx';

/** A field for a password, which the reader may make visible. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'children'>) {
  const [isShown, setShown] = useState(false);
  const [verb, type] = isShown ? (['Hide', 'text'] as const) : (['Show', 'password'] as const);
  return (
    <Field {...props} type={type}>
      <button
        type="button"
        aria-label={`${verb} the ${props.label.toLowerCase()}`}
        onClick={() => setShown(!isShown)}
      >
        {verb}
      </button>
    </Field>
  );
}

interface NewPasswordProps {
  readonly name: string;
  readonly label: string;
}

/** A field for the account's next password, with the shortest length that the server allows. */
export function NewPasswordField({ name, label }: NewPasswordProps) {
  // It has no `maxLength`, because an input would cut off a longer pasted password unseen.
  const { least } = useSession().password;
  return (
    <PasswordField
      name={name}
      label={label}
      hint={`At least ${least} characters, and none that is easy to guess; three words make a good one.`}
      autocomplete="new-password"
      minLength={least}
    />
  );
}
