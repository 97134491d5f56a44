import { useEffect } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import type { Deletion, SessionEntry } from '../api/responses.ts';
import { type Account, useAccount, usePlanLabels, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { Breakable } from '../ui/breakable.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { useAction } from '../ui/hooks.ts';
import { Page } from '../ui/page.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { actionsColumn, type Column, Table } from '../ui/table.tsx';
import { Age, LocalDate } from '../ui/time.tsx';
import { HiddenUsername, NewPasswordField, PasswordField } from './credentials.tsx';
import { browserName } from './labels.ts';
import { SecondFactors } from './second-factors.tsx';

/** The facts about the account, and actions for its owner. */
export function AccountPage() {
  const { refresh } = useSession();
  const { needsSecondFactor } = useAccount();
  // Other browsers may have signed in or out since the session was fetched.
  useEffect(refresh, [refresh]);
  return (
    <Page title="Account">
      <AccountFacts />
      <SignOut />
      <SecondFactors />
      {!needsSecondFactor && <Changes />}
    </Page>
  );
}

function Changes() {
  const { refresh } = useSession();
  const { sessions } = useAccount();
  return (
    <>
      <h2>Signed-in browsers</h2>
      <SessionTable key={sessions} onChanged={refresh} />
      <h2>Change the password</h2>
      <ChangePassword />
      <h2>Delete the account</h2>
      <DeleteAccount />
    </>
  );
}

function AccountFacts() {
  const { email, plan, createdAt, sessions, isOperator } = useAccount();
  const planLabel = usePlanLabels();
  return (
    <dl class="about">
      <dt>E-mail address</dt>
      <dd>
        <bdi>
          <Breakable text={email} />
        </bdi>
      </dd>
      <dt>Plan</dt>
      <dd>
        {planLabel(plan)} · <a href={PAGES.plans}>compare plans</a>
      </dd>
      <dt>Since</dt>
      <dd>
        <LocalDate iso={createdAt} />
      </dd>
      <dt>Signed in</dt>
      <dd>{sessions === 1 ? 'in this browser' : `in ${sessions} browsers, including this one`}</dd>
      {isOperator && (
        <>
          <dt>Operator</dt>
          <dd>
            yes · <a href={PAGES.overview}>accounts, sources and quarantined prices</a>
          </dd>
        </>
      )}
    </dl>
  );
}

function SignOut() {
  const { setSignedOut } = useSession();
  const { error, run } = useAction();
  const signOut = async () => {
    await post('/dashboard/sign-out');
    setSignedOut('You have signed out.');
  };
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => run(signOut)}>
          Sign out
        </button>
        <ConfirmButton
          label="Sign out everywhere…"
          title="Sign out everywhere?"
          action="Sign out everywhere"
          onConfirm={() => post('/dashboard/sign-out-everywhere')}
          onDone={() => setSignedOut('You have signed out of every browser.')}
        >
          <p>This signs out every browser that is signed in to this account. Keys keep working.</p>
        </ConfirmButton>
      </div>
      <ErrorMessage error={error} />
    </>
  );
}

function ChangePassword() {
  const { setSignedIn } = useSession();
  const { email } = useAccount();
  const change = async ({ current, next }: Values) => {
    const { data } = await post<{ data: Account }>(
      '/dashboard/password',
      { current, next },
      { password: current },
    );
    setSignedIn(data);
    return 'The password was changed. All other browsers are signed out.';
  };
  return (
    <Form action="Change the password" onSubmit={change}>
      <HiddenUsername email={email} />
      <PasswordField name="current" label="Current password" />
      <NewPasswordField name="next" label="New password" />
    </Form>
  );
}

function DeleteAccount() {
  const { setSignedOut } = useSession();
  const { email } = useAccount();
  const remove = async ({ password, typed }: Values) => {
    if (typed?.trim().toLowerCase() !== email.toLowerCase()) {
      throw new Error(`Type ${email} to confirm that this is the account to delete.`);
    }
    const path = '/dashboard/account/delete';
    return post<{ data: Deletion }>(path, { password }, { password });
  };
  return (
    <>
      <p>Its keys stop working at once. The audit log keeps a number in place of your address.</p>
      <ConfirmButton
        label="Delete the account…"
        title="Delete the account?"
        action="Delete the account"
        onConfirm={remove}
        onDone={({ data }) => setSignedOut(describeDeletion(data))}
      >
        <p>This also deletes its keys, usage and sessions. You cannot undo it.</p>
        <HiddenUsername email={email} />
        <Field name="typed" label="E-mail address of the account" hint={`Type ${email}`} />
        <PasswordField />
      </ConfirmButton>
    </>
  );
}

function describeDeletion({ auditEntries, auditDays, name }: Deletion): string {
  return (
    `The account is deleted. The service keeps ${auditEntries + 1} entries about it for ` +
    `${auditDays} days, under the name “${name}”.`
  );
}

/** The browsers that are signed in to the account, with a button that signs each out. */
function SessionTable({ onChanged }: { onChanged(): void }) {
  const { body, error, refetch } = useData<{ data: SessionEntry[] }>('/dashboard/sessions', {
    refetchOnVisible: true,
  });
  const ending = useAction();
  if (!body) return <Loading error={error} />;
  const end = (path: string, values?: object) =>
    ending.run(async () => {
      await post(`/dashboard/sessions/${path}`, values);
      onChanged();
      refetch();
    });
  const isOnlyOne = body.data.every(({ isCurrent }) => isCurrent);
  return (
    <>
      <Table
        caption="Signed-in browsers"
        columns={[
          ...COLUMNS,
          actionsColumn((session: SessionEntry) => (
            <EndSession session={session} onEnd={() => end('revoke', { id: session.id })} />
          )),
        ]}
        rows={body.data}
        keyOf={({ id }) => id}
      />
      <ErrorMessage error={ending.error} />
      {!isOnlyOne && (
        <div class="row">
          <button type="button" onClick={() => end('revoke-others')}>
            Sign out all other browsers
          </button>
        </div>
      )}
    </>
  );
}

const COLUMNS: readonly Column<SessionEntry>[] = [
  {
    label: 'Browser',
    cell: ({ userAgent }) => browserName(userAgent),
    title: ({ userAgent }) => userAgent,
  },
  { label: 'Network address', kind: 'long', cell: ({ address }) => address },
  { label: 'Since', cell: ({ createdAt }) => <LocalDate iso={createdAt} /> },
  { label: 'Last used', cell: ({ lastUsedAt }) => <Age iso={lastUsedAt} /> },
];

function EndSession({ session, onEnd }: { session: SessionEntry; onEnd(): void }) {
  const { address, userAgent, isCurrent } = session;
  if (isCurrent) return <>this browser</>;
  const label = `Sign out ${browserName(userAgent)}, ${address}`;
  return (
    <button type="button" aria-label={label} onClick={onEnd}>
      Sign out
    </button>
  );
}
