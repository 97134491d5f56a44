import { useState } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import { useSession } from '../api/session.ts';
import { Field, Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { NewPasswordField } from './credentials.tsx';

/** Asks for an account, if the settings of the service allow it. */
export function SignUpPage() {
  const { signUp } = useSession();
  const [email, setEmail] = useState<string>();
  return (
    <Page title="Create an account">
      {signUp === 'off' && <SignUpClosed />}
      {signUp !== 'off' && email === undefined && <SignUpForm onAsked={setEmail} />}
      {email !== undefined && <Asked email={email} />}
      <p>
        Already have one? <a href={PAGES.signIn}>Sign in</a>
      </p>
    </Page>
  );
}

function SignUpClosed() {
  return <p>New accounts are made by whoever runs this service. Ask them for one.</p>;
}

/** Says what happens next; the same whether or not the address has an account already. */
function Asked({ email }: { email: string }) {
  const { mail } = useSession();
  return (
    <p class="notice" role="status">
      {mail
        ? `A message is on its way to ${email}. Its link confirms the address and lets you choose ` +
          'a password. It works once, for a day.'
        : `Whoever runs this service confirms new accounts. You can sign in as ${email} as soon as ` +
          'yours is confirmed.'}
    </p>
  );
}

function SignUpForm({ onAsked }: { onAsked(email: string): void }) {
  const { mail, signUp } = useSession();
  const ask = async (values: Record<string, string>) => {
    await post('/dashboard/sign-up', values);
    onAsked(values.email ?? '');
  };
  return (
    <Form action="Create the account" onSubmit={ask}>
      <Field name="email" label="E-mail address" type="email" autocomplete="username" />
      {!mail && <NewPasswordField name="password" label="Password" />}
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
