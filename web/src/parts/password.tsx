import { useState } from 'preact/hooks';
import { useSession } from '../session.tsx';
import { Field, type FieldProps } from './form.tsx';

/** A password, which the reader may look at. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'children'>) {
  const [isShown, setShown] = useState(false);
  const [word, type] = isShown ? (['Hide', 'text'] as const) : (['Show', 'password'] as const);
  return (
    <Field {...props} type={type}>
      <button
        type="button"
        aria-label={`${word} the ${props.label.toLowerCase()}`}
        onClick={() => setShown(!isShown)}
      >
        {word}
      </button>
    </Field>
  );
}

interface NewPasswordProps {
  readonly name: string;
  readonly label: string;
}

/** A password that is to be the account's from now on, of the length that the server allows. */
export function NewPasswordField({ name, label }: NewPasswordProps) {
  // Without the upper bound: an input would cut off what is pasted, and nobody would see it.
  const { least } = useSession().password;
  return (
    <PasswordField
      name={name}
      label={label}
      hint={`At least ${least} characters; a few words make a good one.`}
      autocomplete="new-password"
      minLength={least}
    />
  );
}
