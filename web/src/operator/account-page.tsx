import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { KEY_COLUMNS } from '../account/key-settings.tsx';
import { post } from '../api/call.ts';
import { withQuery } from '../api/links.ts';
import type { ApiKey, ListedAccount } from '../api/responses.ts';
import { useAccount, usePlanLabels } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Fact, Facts, GivenName } from '../ui/parts.tsx';
import { Fetched, type Outcome, OutcomeMessage } from '../ui/status.tsx';
import { actionsColumn, Table } from '../ui/table.tsx';
import { LastUse, LocalDate } from '../ui/time.tsx';
import {
  AccessForm,
  ConfirmForm,
  DeleteForm,
  LimitsForm,
  OperatorForm,
  PlanForm,
  ResetLinkForm,
  SecondFactorsForm,
} from './account-forms.tsx';
import { describeState, describeUse } from './account-parts.tsx';
import { OperatorPage } from './operator-page.tsx';

/** An account, with all actions of an operator on it. */
export function ManagedAccountPage() {
  const { email = '' } = useRoute().query;
  const [isDeleted, setDeleted] = useState(false);
  const loaded = useData<{ data: ListedAccount }>(
    isDeleted || email === '' ? null : withQuery('/dashboard/operator/account', { email }),
  );
  return (
    <OperatorPage title={email || 'Account'}>
      <p>
        <a href={PAGES.accounts}>All accounts</a>
        {email !== '' && (
          <>
            {' · '}
            <a href={withQuery(PAGES.audit, { account: email })}>Its entries in the audit log</a>
          </>
        )}
      </p>
      {email === '' && <p>Choose an account from the list.</p>}
      {isDeleted && <p role="status">The account {email} is deleted.</p>}
      {email !== '' && !isDeleted && (
        <Fetched of={loaded}>
          {({ data }) => (
            <AccountDetails
              account={data}
              onChanged={loaded.refetch}
              onDeleted={() => setDeleted(true)}
            />
          )}
        </Fetched>
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
          <h2 id="password">Sign-in</h2>
          <ResetLinkForm email={account.email} />
          {!isOwn && <SecondFactorsForm email={account.email} />}
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
  const { plan, createdAt } = account;
  return (
    <Facts>
      <Fact name="State">{describeState(account)}</Fact>
      <Fact name="Plan">{planLabel(plan)}</Fact>
      <Fact name="Used today">{describeUse(account)}</Fact>
      <Fact name="Since">
        <LocalDate iso={createdAt} />
      </Fact>
    </Facts>
  );
}

/** The API keys of an account, which an operator can revoke. */
function AccountKeys({ email }: { email: string }) {
  const loaded = useData<{ data: ApiKey[] }>(withQuery('/dashboard/operator/keys', { email }));
  const [doomed, setDoomed] = useState<ApiKey>();
  const [outcome, setOutcome] = useState<Outcome>();
  const showRevoked = ({ name }: ApiKey) => {
    setOutcome({ text: `The key “${name}” is revoked.` });
    loaded.refetch();
  };
  return (
    <>
      <h2>Keys</h2>
      <OutcomeMessage outcome={outcome} />
      <Fetched of={loaded}>{({ data }) => <KeyTable keys={data} onRevoke={setDoomed} />}</Fetched>
      {doomed && (
        <ConfirmDialog
          title="Revoke the key?"
          action="Revoke"
          onConfirm={() => post(`/dashboard/operator/keys/${doomed.id}/revoke`)}
          onClose={() => setDoomed(undefined)}
          onDone={() => showRevoked(doomed)}
        >
          <p>
            <GivenName name={doomed.name} /> stops working at once and for good.
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
  const active = keys.filter(({ status }) => status === 'active');
  if (active.length === 0) return <p>The account has no active keys.</p>;
  const columns = [
    ...KEY_COLUMNS,
    { label: 'Last used', cell: ({ lastUsedAt }: ApiKey) => <LastUse at={lastUsedAt} /> },
    actionsColumn((key: ApiKey) => (
      <button type="button" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
        Revoke…
      </button>
    )),
  ];
  return <Table caption="Active keys" columns={columns} rows={active} keyOf={({ id }) => id} />;
}
