import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import { withQuery } from '../api/links.ts';
import { useSession } from '../api/session.ts';
import { Field, Form, type Values } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { readBack } from './back.ts';
import { NewPasswordField } from './credentials.tsx';

/** Requests an account, if the settings of the service allow it. */
export function SignUpPage() {
  const { signUp } = useSession();
  const back = readBack(useLocation().query);
  const [email, setEmail] = useState<string>();
  return (
    <Page title="Create an account">
      {signUp === 'off' && <SignUpClosed />}
      {signUp !== 'off' && email === undefined && <SignUpForm back={back} onAsked={setEmail} />}
      {email !== undefined && <Asked email={email} />}
      <p>
        Already have an account? <a href={withQuery(PAGES.signIn, { back })}>Sign in</a>
      </p>
    </Page>
  );
}

function SignUpClosed() {
  return <p>Only the operator of this service creates accounts. Ask them for one.</p>;
}

/** Shows what happens next. It does not reveal whether the address already has an account. */
function Asked({ email }: { email: string }) {
  const { mail } = useSession();
  return (
    <p class="notice" role="status">
      {mail
        ? `A message is on its way to ${email}. Its link confirms the address and lets you choose ` +
          'a password. It works once and expires after a day.'
        : `The operator of this service confirms new accounts. You can sign in as ${email} once ` +
          'yours is confirmed.'}
    </p>
  );
}

interface SignUpFormProps {
  /** The return address. */
  readonly back: string | undefined;
  onAsked(email: string): void;
}

function SignUpForm({ back, onAsked }: SignUpFormProps) {
  const { mail, signUp } = useSession();
  const ask = async (values: Values) => {
    await post('/dashboard/sign-up', { ...values, back });
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
          hint="Ask the operator of this service for a code."
        />
      )}
    </Form>
  );
}
