import './account.css';
import { useEffect, useState } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import type { Deletion, SessionEntry } from '../api/responses.ts';
import { type Account, useAccount, usePlanLabels, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { ActionsHeading } from '../ui/parts.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { Age, LocalDate } from '../ui/time.tsx';
import { NewPasswordField, PasswordField } from './credentials.tsx';
import { browserName } from './labels.ts';
import { SecondFactors } from './second-factors.tsx';

/** The facts about the account, and what its owner can do with it. */
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
        <bdi>{email}</bdi>
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
            yes · <a href={PAGES.accounts}>accounts, sources and quarantined prices</a>
          </dd>
        </>
      )}
    </dl>
  );
}

function SignOut() {
  const { setSignedOut } = useSession();
  const [error, setError] = useState<Error>();
  const [isAsking, setAsking] = useState(false);
  const signOut = () =>
    post('/dashboard/sign-out').then(() => setSignedOut('You have signed out.'), setError);
  const signOutEverywhere = async () => {
    await post('/dashboard/sign-out-everywhere');
    setSignedOut('You have signed out of every browser.');
  };
  return (
    <>
      <div class="row">
        <button type="button" onClick={signOut}>
          Sign out
        </button>
        <button type="button" onClick={() => setAsking(true)}>
          Sign out everywhere…
        </button>
      </div>
      <ErrorMessage error={error} />
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere?"
          action="Sign out everywhere"
          onConfirm={signOutEverywhere}
          onClose={() => setAsking(false)}
        >
          <p>This signs out every browser that is signed in to this account. Keys keep working.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function ChangePassword() {
  const { setSignedIn } = useSession();
  const change = async ({ current, next }: Record<string, string>) => {
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
      <HiddenUsername />
      <PasswordField name="current" label="Current password" autocomplete="current-password" />
      <NewPasswordField name="next" label="New password" />
    </Form>
  );
}

/** Tells password managers which account the password is for. */
function HiddenUsername() {
  const { email } = useAccount();
  return <input type="email" hidden autocomplete="username" value={email} readOnly />;
}

function DeleteAccount() {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <p>
        Its keys stop working at once. The audit log is kept, with a number instead of your address.
      </p>
      <button type="button" onClick={() => setAsking(true)}>
        Delete the account…
      </button>
      {isAsking && <DeleteAccountDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function DeleteAccountDialog({ onClose }: { onClose(): void }) {
  const { setSignedOut } = useSession();
  const { email } = useAccount();
  const remove = async ({ password, typed }: Record<string, string>) => {
    if (typed?.trim().toLowerCase() !== email.toLowerCase()) {
      throw new Error(`Type ${email} to confirm that this is the account to delete.`);
    }
    const { data } = await post<{ data: Deletion }>(
      '/dashboard/account/delete',
      { password },
      { password },
    );
    setSignedOut(
      `The account is deleted. The service keeps ${data.auditEntries + 1} entries about it for ` +
        `${data.auditDays} days, as “${data.name}”.`,
    );
  };
  return (
    <ConfirmDialog
      title="Delete the account?"
      action="Delete the account"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>This also deletes its keys, usage and sessions. You cannot undo it.</p>
      <HiddenUsername />
      <Field
        name="typed"
        label="E-mail address of the account"
        hint={`Type ${email}`}
        autocomplete="off"
      />
      <PasswordField name="password" label="Password" autocomplete="current-password" />
    </ConfirmDialog>
  );
}

/** The browsers that are signed in to the account, with a button that signs each out. */
export function SessionTable({ onChanged }: { onChanged(): void }) {
  const { body, error, refetch } = useData<{ data: SessionEntry[] }>('/dashboard/sessions', {
    refetchOnVisible: true,
  });
  const [failure, setFailure] = useState<Error>();
  if (!body) return <Loading error={error} />;
  const end = (path: string, values?: object) => {
    setFailure(undefined);
    const ended = post(`/dashboard/sessions/${path}`, values).then(onChanged).then(refetch);
    ended.catch(setFailure);
  };
  const isOnlyOne = body.data.every(({ isCurrent }) => isCurrent);
  return (
    <>
      <table class="stack">
        <caption class="sr-only">Signed-in browsers</caption>
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Network address</th>
            <th scope="col">Since</th>
            <th scope="col">Last used</th>
            <ActionsHeading />
          </tr>
        </thead>
        <tbody>
          {body.data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              onEnd={() => end('revoke', { id: session.id })}
            />
          ))}
        </tbody>
      </table>
      <ErrorMessage error={failure} />
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

function SessionRow({ session, onEnd }: { session: SessionEntry; onEnd(): void }) {
  const { address, userAgent, createdAt, lastUsedAt, isCurrent } = session;
  const name = browserName(userAgent);
  return (
    <tr>
      <th scope="row" title={userAgent}>
        {name}
      </th>
      <td data-label="Network address" class="long">
        {address}
      </td>
      <td data-label="Since">
        <LocalDate iso={createdAt} />
      </td>
      <td data-label="Last used">
        <Age iso={lastUsedAt} />
      </td>
      <td>
        {isCurrent ? (
          'this browser'
        ) : (
          <button type="button" aria-label={`Sign out ${name}, ${address}`} onClick={onEnd}>
            Sign out
          </button>
        )}
      </td>
    </tr>
  );
}
