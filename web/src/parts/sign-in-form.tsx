import { call } from '../api.ts';
import type { Account } from '../session.tsx';
import { Field, Form } from './form.tsx';
import { PasswordField } from './password.tsx';

interface Props {
  readonly email?: string;
  onSignedIn(account: Account): void;
}

/** E-mail address and password. */
export function SignInForm({ email = '', onSignedIn }: Props) {
  const signIn = async (values: Record<string, string>) => {
    const { data } = await call<{ data: Account }>('/dashboard/sign-in', {
      method: 'POST',
      body: values,
      mayBeUnauthorized: true,
    });
    onSignedIn(data);
  };
  return (
    <Form action="Sign in" onSubmit={signIn}>
      <Field
        name="email"
        label="E-mail address"
        type="email"
        autocomplete="username"
        value={email}
      />
      <PasswordField name="password" label="Password" autocomplete="current-password" />
    </Form>
  );
}
