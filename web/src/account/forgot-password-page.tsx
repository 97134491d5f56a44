import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import { Field, Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { useSession } from './session.tsx';

/** How to get a link that sets a new password: by mail, or from the operator. */
export function ForgotPasswordPage() {
  const { mail } = useSession();
  return (
    <Page title="Forgotten password">
      {mail ? <LinkRequestForm /> : <AskTheOperator />}
      <p>
        <a href={PAGES.signIn}>Back to signing in</a>
      </p>
    </Page>
  );
}

function AskTheOperator() {
  return (
    <p>
      Ask whoever runs this service for a link with which you can set a new password. It works once,
      for a day.
    </p>
  );
}

function LinkRequestForm() {
  const ask = async (values: Record<string, string>) => {
    await post('/dashboard/forgot', values);
    return (
      `If there is an account of ${values.email}, a message with a link is on its way to it. ` +
      'The link works once, for an hour.'
    );
  };
  return (
    <>
      <p>A link with which you can set a new password is sent to the address of your account.</p>
      <Form action="Send the link" onSubmit={ask}>
        <Field name="email" label="E-mail address" type="email" autocomplete="username" />
      </Form>
    </>
  );
}
