import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { KeyLifetime, NameAndHint } from '../account/key-settings.tsx';
import { post } from '../api/call.ts';
import { withQuery } from '../api/links.ts';
import type { ApiKey, ListedAccount } from '../api/responses.ts';
import { useAccount, usePlanLabels } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { formatCount, formatQuota } from '../ui/format.ts';
import { ActionsHeading, Fact, Facts } from '../ui/parts.tsx';
import { Loading, type Outcome, OutcomeMessage, PermanentError } from '../ui/status.tsx';
import { Age, LocalDate } from '../ui/time.tsx';
import {
  AccessForm,
  ConfirmForm,
  DeleteForm,
  LimitsForm,
  OperatorForm,
  PlanForm,
  ResetLinkForm,
} from './account-forms.tsx';
import { describeState } from './accounts-page.tsx';
import { OperatorPage } from './operator-page.tsx';

/** An account, with everything an operator can do with it. */
export function ManagedAccountPage() {
  const { email = '' } = useRoute().query;
  const [isDeleted, setDeleted] = useState(false);
  const { body, error, refetch } = useData<{ data: ListedAccount }>(
    isDeleted || email === '' ? null : withQuery('/dashboard/operator/account', { email }),
  );
  return (
    <OperatorPage title={email || 'Account'}>
      <p>
        <a href={PAGES.accounts}>All accounts</a>
      </p>
      {isDeleted && <p role="status">The account {email} is deleted.</p>}
      {!isDeleted && !body && <Loading error={error} />}
      {!isDeleted && body && (
        <>
          <PermanentError error={error} />
          <AccountDetails
            account={body.data}
            onChanged={refetch}
            onDeleted={() => setDeleted(true)}
          />
        </>
      )}
    </OperatorPage>
  );
}

interface ManagedAccountPageProps {
  readonly account: ListedAccount;
  onChanged(): void;
}

function AccountDetails({
  account,
  onChanged,
  onDeleted,
}: ManagedAccountPageProps & { onDeleted(): void }) {
  const isOwn = useAccount().email === account.email;
  return (
    <>
      <AccountFacts account={account} />
      {!account.isConfirmed && <ConfirmForm account={account} onChanged={onChanged} />}
      <div class="account-forms">
        <section aria-labelledby="plan">
          <h2 id="plan">Plan</h2>
          <PlanForm account={account} onChanged={onChanged} />
        </section>
        <section aria-labelledby="password">
          <h2 id="password">Password</h2>
          <ResetLinkForm email={account.email} />
        </section>
        <section aria-labelledby="access">
          <h2 id="access">Access</h2>
          {isOwn ? (
            <p>
              This is your own account. Only another operator can disable it, delete it or remove
              its role, so you cannot lock yourself out.
            </p>
          ) : (
            <>
              <AccessForm account={account} onChanged={onChanged} />
              <OperatorForm account={account} onChanged={onChanged} />
            </>
          )}
        </section>
        <section aria-labelledby="limits">
          <h2 id="limits">Custom limits</h2>
          <LimitsForm account={account} onChanged={onChanged} />
        </section>
      </div>
      <AccountKeys email={account.email} />
      {!isOwn && (
        <>
          <h2>Delete the account</h2>
          <DeleteForm email={account.email} onDeleted={onDeleted} />
        </>
      )}
    </>
  );
}

function AccountFacts({ account }: { account: ListedAccount }) {
  const planLabel = usePlanLabels();
  const { plan, usedToday, dailyRequests, createdAt } = account;
  return (
    <Facts>
      <Fact name="State">{describeState(account)}</Fact>
      <Fact name="Plan">{planLabel(plan)}</Fact>
      <Fact name="Used today">
        {formatCount(usedToday)} of {formatQuota(dailyRequests)}
      </Fact>
      <Fact name="Since">
        <LocalDate iso={createdAt} />
      </Fact>
    </Facts>
  );
}

/** The API keys of an account, which an operator can revoke. */
export function AccountKeys({ email }: { email: string }) {
  const { body, error, refetch } = useData<{ data: ApiKey[] }>(
    withQuery('/dashboard/operator/keys', { email }),
  );
  const [doomed, setDoomed] = useState<ApiKey>();
  const [outcome, setOutcome] = useState<Outcome>();
  const revoke = async ({ id, name }: ApiKey) => {
    await post(`/dashboard/operator/keys/${id}/revoke`);
    setDoomed(undefined);
    setOutcome({ text: `The key “${name}” is revoked.` });
    refetch();
  };
  const keys = body?.data.filter(({ status }) => status === 'active');
  return (
    <>
      <h2>Keys</h2>
      <OutcomeMessage outcome={outcome} />
      {keys ? <PermanentError error={error} /> : <Loading error={error} />}
      {keys?.length === 0 && <p>The account has no active keys.</p>}
      {keys && keys.length > 0 && <KeyTable keys={keys} onRevoke={setDoomed} />}
      {doomed && (
        <ConfirmDialog
          title="Revoke the key?"
          action="Revoke"
          onConfirm={() => revoke(doomed)}
          onClose={() => setDoomed(undefined)}
        >
          <p>
            <strong>
              <bdi>{doomed.name}</bdi>
            </strong>{' '}
            stops working at once and for good.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface TableProps {
  readonly keys: readonly ApiKey[];
  onRevoke(key: ApiKey): void;
}

function KeyTable({ keys, onRevoke }: TableProps) {
  return (
    <table class="stack">
      <caption class="sr-only">Active keys</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Key</th>
          <th scope="col">Created</th>
          <th scope="col">Works until</th>
          <th scope="col">Last used</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <NameAndHint apiKey={key} />
            <KeyLifetime apiKey={key} />
            <td data-label="Last used">
              {key.lastUsedAt === null ? 'never' : <Age iso={key.lastUsedAt} />}
            </td>
            <td>
              <button type="button" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
                Revoke…
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
