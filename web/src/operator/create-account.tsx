import { useId } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { useSession } from '../account/session.tsx';
import { post } from '../api/call.ts';
import { withQuery } from '../api/query.ts';
import { Field, Form } from '../ui/form.tsx';

/** The form by which an operator makes an account; it leads to the page of the new one. */
export function CreateAccount() {
  const { plans } = useSession();
  const { route } = useLocation();
  const id = useId();
  const create = async ({ email = '', plan = '' }: Record<string, string>) => {
    await post('/dashboard/operator/accounts', { email: email.trim(), plan });
    route(withQuery(PAGES.operatorAccount, { email: email.trim().toLowerCase() }));
  };
  return (
    <details class="create-account">
      <summary>Create an account</summary>
      <Form action="Create the account" onSubmit={create}>
        <p>It is confirmed at once. Its owner sets a password with a link that you make next.</p>
        <Field
          name="email"
          label="E-mail address"
          type="email"
          autocomplete="off"
          maxLength={254}
        />
        <div class="field">
          <label for={id}>Plan</label>
          <select id={id} name="plan">
            {plans.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </Form>
    </details>
  );
}
