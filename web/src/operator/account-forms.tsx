import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import { postOnce } from '../api/post-once.ts';
import type { ListedAccount, ResetLink } from '../api/responses.ts';
import { usePlanLabels } from '../api/session.ts';
import { Field, Form, type Values } from '../ui/form.tsx';
import { formatMoment } from '../ui/format.ts';
import { CopyableText } from '../ui/parts.tsx';
import { LocalDate } from '../ui/time.tsx';
import { PlanField } from './account-parts.tsx';
import { LimitFields, readLimits } from './limit-fields.tsx';

/** The forms that change an account. */

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
      <h3>Not confirmed yet</h3>
      <Form action="Confirm the account" onSubmit={confirm}>
        <p>
          Confirm it only if you know that the owner of the address signed up. Otherwise, send a
          link to the address: it proves the address, and its owner chooses a new password.
        </p>
      </Form>
    </>
  );
}

export function PlanForm({ account: { email, plan }, onChanged }: Props) {
  const planLabel = usePlanLabels();
  const change = async ({ plan: chosen = '' }: Values) => {
    await post(`${ACCOUNTS_PATH}/plan`, { email, plan: chosen });
    onChanged();
    return `The plan is now ${planLabel(chosen)}.`;
  };
  return (
    <Form action="Change the plan" onSubmit={change}>
      <PlanField plan={plan} />
    </Form>
  );
}

export function LimitsForm({ account: { email, limits }, onChanged }: Props) {
  const change = async (values: Values) => {
    await post(`${ACCOUNTS_PATH}/limits`, { email, limits: readLimits(values) });
    onChanged();
    return 'The limits were changed.';
  };
  return (
    <Form action="Change the limits" onSubmit={change}>
      <p>Leave a field empty to use the plan's value.</p>
      <LimitFields limits={limits ?? {}} isOfAccount />
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
            Disabled since <LocalDate iso={disabledAt} />. Its keys and its sign-in do not work.
          </>
        ) : (
          'Disabling the account stops its keys at once and signs it out. You can enable it again.'
        )}
      </p>
    </Form>
  );
}

export function ResetLinkForm({ email }: { email: string }) {
  const [resetLink, setResetLink] = useState<ResetLink>();
  const create = async () => {
    const { data } = await postOnce<{ data: ResetLink }>(`${ACCOUNTS_PATH}/reset-link`, { email });
    setResetLink(data);
  };
  if (resetLink) return <NewResetLink {...resetLink} />;
  return (
    <Form action="Create a link" onSubmit={create} kind="secondary">
      <p>
        The owner of the account uses the link to set a new password. It works once and expires
        after a day.
      </p>
    </Form>
  );
}

/** Removes the second factors of an account whose owner has lost them. */
export function SecondFactorsForm({ email }: { email: string }) {
  const remove = async () => {
    const { data } = await post<{ data: { removed: number } }>(
      `${ACCOUNTS_PATH}/remove-second-factors`,
      { email },
    );
    if (data.removed === 0) return 'The account had no second factor.';
    return 'The second factors were removed, and the account is signed out.';
  };
  return (
    <Form action="Remove second factors" onSubmit={remove} kind="secondary">
      <p>
        Use this if the owner has lost the authenticator app, the passkeys and the recovery codes.
        Verify who is asking: afterwards, the password alone is enough to sign in.
      </p>
    </Form>
  );
}

/** Makes an account an operator, or removes that role. */
export function OperatorForm({ account: { email, isOperator }, onChanged }: Props) {
  const change = async () => {
    await post(`${ACCOUNTS_PATH}/operator`, { email, isOperator: !isOperator });
    onChanged();
    return isOperator ? 'The account is no longer an operator.' : 'The account is now an operator.';
  };
  return (
    <Form
      action={isOperator ? 'Remove the role' : 'Make it an operator'}
      onSubmit={change}
      kind="secondary"
    >
      <p>
        {isOperator
          ? 'This account can see and change all accounts, prices and settings on these pages.'
          : 'Operators can see and change all accounts, prices and settings on these pages.'}
      </p>
    </Form>
  );
}

/** Deletes an account once its address is typed. */
export function DeleteForm({ email, onDeleted }: { email: string; onDeleted(): void }) {
  const remove = async ({ typed = '' }: Values) => {
    if (typed.trim().toLowerCase() !== email)
      throw new Error('This is not the address of the account.');
    await post(`${ACCOUNTS_PATH}/delete`, { email });
    onDeleted();
  };
  return (
    <Form action="Delete the account" onSubmit={remove} kind="danger">
      <p>
        Its keys stop working at once, and its usage is deleted for good. The audit log keeps its
        entries without the address.
      </p>
      <Field name="typed" label="Type its e-mail address to confirm" maxLength={254} />
    </Form>
  );
}

/** A link with its secret token, which is not shown again. */
function NewResetLink({ link, expiresAt }: ResetLink) {
  const text = useRef<HTMLParagraphElement>(null);
  // The button that had the focus no longer exists.
  useLayoutEffect(() => text.current?.focus(), []);
  return (
    <>
      <p ref={text} tabIndex={-1}>
        Give it only to the owner of the account. It is not shown again and works until{' '}
        {formatMoment(expiresAt)}.
      </p>
      <CopyableText text={link} label="Copy the link" />
    </>
  );
}
