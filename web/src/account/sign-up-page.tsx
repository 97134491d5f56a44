import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import { Field, Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { NewPasswordField } from './password-field.tsx';
import { type Account, useSession } from './session.tsx';

/** Creates an account, if the settings of the service allow it. */
export function SignUpPage() {
  const { signUp } = useSession();
  return (
    <Page title="Create an account">
      {signUp === 'off' ? <SignUpClosed /> : <SignUpForm />}
      <p>
        Already have one? <a href={PAGES.signIn}>Sign in</a>
      </p>
    </Page>
  );
}

function SignUpClosed() {
  return <p>New accounts are made by whoever runs this service. Ask them for one.</p>;
}

function SignUpForm() {
  const { setSignedIn, signUp } = useSession();
  const { route } = useLocation();
  const create = async (values: Record<string, string>) => {
    const { data } = await post<{ data: Account }>('/dashboard/sign-up', values);
    route(PAGES.keys, true);
    setSignedIn(data);
  };
  return (
    <Form action="Create the account" onSubmit={create}>
      <Field name="email" label="E-mail address" type="email" autocomplete="username" />
      <NewPasswordField name="password" label="Password" />
      {signUp === 'invitation' && (
        <Field
          name="invitation"
          label="Invitation code"
          hint="You have it from whoever runs this service."
          autocomplete="off"
        />
      )}
    </Form>
  );
}
