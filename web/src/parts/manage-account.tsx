import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { ResetLinkView } from '../../../src/dashboard/schemas.ts';
import { post } from '../api.ts';
import { formatMoment } from '../format.ts';
import type { AccountEntry } from '../pages/accounts.tsx';
import { useSession } from '../session.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { DateOf } from './time.tsx';
import { Command } from './try-it.tsx';

interface Props {
  readonly account: AccountEntry;
  /** Called when something of the account is not as it was. */
  onChanged(): void;
}

const ACCOUNTS = '/dashboard/operator/accounts';

/** What an operator can do with one account. */
export function ManageAccount({ account, onChanged, onClose }: Props & { onClose(): void }) {
  return (
    <Dialog title={account.email} onClose={onClose} closing="Close">
      <ChangePlan account={account} onChanged={onChanged} />
      <h3>Access</h3>
      <Access account={account} onChanged={onChanged} />
      <h3>Password</h3>
      <ResetLink email={account.email} />
    </Dialog>
  );
}

function ChangePlan({ account: { email, plan }, onChanged }: Props) {
  const { plans } = useSession();
  const id = useId();
  const change = async (values: Record<string, string>) => {
    await post(`${ACCOUNTS}/plan`, { email, plan: values.plan });
    onChanged();
    const { label } = plans.find(({ name }) => name === values.plan) ?? {};
    return `The plan is ${label} now.`;
  };
  return (
    <Form action="Change the plan" onSubmit={change}>
      <div class="field">
        <label for={id}>Plan</label>
        <select id={id} name="plan">
          {plans.map(({ name, label }) => (
            <option key={name} value={name} selected={name === plan}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </Form>
  );
}

function Access({ account: { email, disabledAt }, onChanged }: Props) {
  const isDisabled = disabledAt !== null;
  const change = async () => {
    await post(`${ACCOUNTS}/${isDisabled ? 'enable' : 'disable'}`, { email });
    onChanged();
    return isDisabled ? 'The account works again.' : 'The account is disabled.';
  };
  return (
    <Form action={isDisabled ? 'Enable' : 'Disable'} onSubmit={change} kind="secondary">
      <p>
        {isDisabled ? (
          <>
            Disabled since <DateOf iso={disabledAt} />. Its keys and its sign-in fail.
          </>
        ) : (
          'Disabling makes its keys fail at their next request and signs it out. It can be undone.'
        )}
      </p>
    </Form>
  );
}

function ResetLink({ email }: { email: string }) {
  const [made, setMade] = useState<Static<typeof ResetLinkView>>();
  const make = async () => {
    const { data } = await post<{ data: Static<typeof ResetLinkView> }>(`${ACCOUNTS}/reset-link`, {
      email,
    });
    setMade(data);
  };
  if (!made) {
    return (
      <Form action="Make a link" onSubmit={make} kind="secondary">
        <p>With a link its owner sets a new password. It works once, for a day.</p>
      </Form>
    );
  }
  return <Link {...made} />;
}

/** The link in full. It is here and nowhere else, until the dialog is closed. */
function Link({ link, expiresAt }: Static<typeof ResetLinkView>) {
  const words = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => words.current?.focus(), []);
  return (
    <>
      <p ref={words} tabIndex={-1}>
        Give it to the owner of the account; it is shown this once and works until{' '}
        {formatMoment(expiresAt)}.
      </p>
      <Command text={link} label="Copy the link" />
    </>
  );
}
