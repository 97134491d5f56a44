import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import type { ListedAccount, ResetLink } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { Field, Form } from '../ui/form.tsx';
import { formatMoment } from '../ui/format.ts';
import { CopyableText } from '../ui/parts.tsx';
import { LocalDate } from '../ui/time.tsx';
import { LimitFields, readLimits } from './limit-fields.tsx';

/** The forms by which an operator changes an account. */

interface Props {
  readonly account: ListedAccount;
  /** Called when the account has changed. */
  onChanged(): void;
}

const ACCOUNTS_PATH = '/dashboard/operator/accounts';

export function ConfirmForm({ account: { email }, onChanged }: Props) {
  const confirm = async () => {
    await post(`${ACCOUNTS_PATH}/confirm`, { email });
    onChanged();
  };
  return (
    <>
      <h3>Signed up, not confirmed</h3>
      <Form action="Confirm the account" onSubmit={confirm}>
        <p>
          Confirm it only if you know that the owner of the address signed up. If you do not, send a
          link to the address instead: who has it proves the address and chooses a new password.
        </p>
      </Form>
    </>
  );
}

export function PlanForm({ account: { email, plan }, onChanged }: Props) {
  const { plans } = useSession();
  const id = useId();
  const change = async (values: Record<string, string>) => {
    await post(`${ACCOUNTS_PATH}/plan`, { email, plan: values.plan });
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

export function LimitsForm({ account: { email, limits }, onChanged }: Props) {
  const change = async (values: Record<string, string>) => {
    await post(`${ACCOUNTS_PATH}/limits`, { email, limits: readLimits(values) });
    onChanged();
    return 'The limits are changed.';
  };
  return (
    <Form action="Change the limits" onSubmit={change}>
      <p>What is empty is as in the plan.</p>
      <LimitFields limits={limits ?? {}} />
    </Form>
  );
}

export function AccessForm({ account: { email, disabledAt }, onChanged }: Props) {
  const isDisabled = disabledAt !== null;
  const change = async () => {
    await post(`${ACCOUNTS_PATH}/${isDisabled ? 'enable' : 'disable'}`, { email });
    onChanged();
    return isDisabled ? 'The account works again.' : 'The account is disabled.';
  };
  return (
    <Form action={isDisabled ? 'Enable' : 'Disable'} onSubmit={change} kind="secondary">
      <p>
        {isDisabled ? (
          <>
            Disabled since <LocalDate iso={disabledAt} />. Its keys and its sign-in fail.
          </>
        ) : (
          'Disabling makes its keys fail at their next request and signs it out. It can be undone.'
        )}
      </p>
    </Form>
  );
}

export function ResetLinkForm({ email }: { email: string }) {
  const [resetLink, setResetLink] = useState<ResetLink>();
  const create = async () => {
    const { data } = await post<{ data: ResetLink }>(`${ACCOUNTS_PATH}/reset-link`, { email });
    setResetLink(data);
  };
  if (resetLink) return <NewResetLink {...resetLink} />;
  return (
    <Form action="Make a link" onSubmit={create} kind="secondary">
      <p>With a link its owner sets a new password. It works once, for a day.</p>
    </Form>
  );
}

/** Makes an account an operator, or takes that away. */
export function OperatorForm({ account: { email, isOperator }, onChanged }: Props) {
  const change = async () => {
    await post(`${ACCOUNTS_PATH}/operator`, { email, isOperator: !isOperator });
    onChanged();
    return isOperator ? 'It is no operator any more.' : 'It is an operator now.';
  };
  return (
    <Form
      action={isOperator ? 'Take the role away' : 'Make it an operator'}
      onSubmit={change}
      kind="secondary"
    >
      <p>
        {isOperator
          ? 'It may see and change all accounts, prices and settings of these pages.'
          : 'An operator may see and change all accounts, prices and settings of these pages.'}
      </p>
    </Form>
  );
}

/** Deletes an account once its address is typed. */
export function DeleteForm({ email, onDeleted }: { email: string; onDeleted(): void }) {
  const remove = async ({ typed = '' }: Record<string, string>) => {
    if (typed.trim().toLowerCase() !== email) throw new Error('This is another address.');
    await post(`${ACCOUNTS_PATH}/delete`, { email });
    onDeleted();
  };
  return (
    <Form action="Delete the account" onSubmit={remove} kind="danger">
      <p>
        Its keys fail at once, and all that was counted of it is gone for good. The audit log keeps
        what was done, without the address.
      </p>
      <Field
        name="typed"
        label="Type its e-mail address to confirm"
        autocomplete="off"
        maxLength={254}
      />
    </Form>
  );
}

/** A link with its secret token, which nothing shows again once the dialog is closed. */
function NewResetLink({ link, expiresAt }: ResetLink) {
  const text = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useLayoutEffect(() => text.current?.focus(), []);
  return (
    <>
      <p ref={text} tabIndex={-1}>
        Give it to the owner of the account; it is shown this once and works until{' '}
        {formatMoment(expiresAt)}.
      </p>
      <CopyableText text={link} label="Copy the link" />
    </>
  );
}
