import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api.ts';
import { Field, Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { NewPasswordField } from '../parts/password.tsx';
import { type Account, useSession } from '../session.tsx';

/** Makes an account, as far as the operator lets people do that. */
export function SignUpPage() {
  const { signUp } = useSession();
  return (
    <Page title="Create an account">
      {signUp === 'off' ? <Closed /> : <SignUpForm />}
      <p>
        Already have one? <a href={PAGES.signIn}>Sign in</a>
      </p>
    </Page>
  );
}

function Closed() {
  return <p>New accounts are made by whoever runs this service. Ask them for one.</p>;
}

function SignUpForm() {
  const { enter, signUp } = useSession();
  const { route } = useLocation();
  const create = async (values: Record<string, string>) => {
    const { data } = await post<{ data: Account }>('/dashboard/sign-up', values);
    route(PAGES.keys, true);
    enter(data);
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
