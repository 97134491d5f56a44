import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { useSession } from '../account/session.tsx';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { ActionsHeading } from '../ui/actions-heading.tsx';
import { formatCount, formatQuota } from '../ui/format.ts';
import { Paging } from '../ui/paging.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { LocalDate, useServerClock } from '../ui/time.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { OperatorPage } from './operator-page.tsx';
import type { AccountsBody, ListedAccount } from './responses.ts';

const PAGE_SIZE = 50;

/** All accounts of the service, which the operator searches and manages. */
export function AccountsPage() {
  const { query, route } = useLocation();
  const { q = '', waiting = '' } = query;
  const offset = Math.max(0, Number.parseInt(query.offset ?? '', 10) || 0);
  const { body, error, isLoading, refetch } = useData<AccountsBody>(
    withQuery('/dashboard/operator/accounts', { q, waiting, limit: PAGE_SIZE, offset }),
    { refetchOnVisible: true },
  );
  const [managed, setManaged] = useState<string>();
  const account = body?.data.find(({ email }) => email === managed);
  return (
    <OperatorPage title="Accounts">
      <AccountSearch q={q} onInput={(text) => route(accountsHref(text, 0), true)} />
      {body ? (
        <div aria-busy={isLoading}>
          <WaitingAccounts count={body.waiting} isShown={waiting !== ''} />
          <AccountTable accounts={body.data} onManage={setManaged} />
          <Paging
            {...body}
            shown={body.data.length}
            what="accounts"
            hrefOf={(to) => accountsHref(q, to)}
          />
        </div>
      ) : (
        <Loading error={error} />
      )}
      {body && <PermanentError error={error} />}
      <MonthLinks />
      {account && (
        <AccountDialog
          account={account}
          onChanged={refetch}
          onClose={() => setManaged(undefined)}
        />
      )}
    </OperatorPage>
  );
}

/** Links to what every account used in this month and in the last, for invoices. */
function MonthLinks() {
  const now = new Date(useServerClock());
  const months = [-1, 0].map((later) => {
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later);
    return new Date(first).toISOString().slice(0, 7);
  });
  return (
    <>
      <h2>Usage for invoices</h2>
      <ul>
        {months.map((month) => (
          <li key={month}>
            <a href={withQuery('/dashboard/operator/usage.csv', { month })} download>
              {month} as CSV
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How many accounts wait to be confirmed, with a link that shows them alone. */
function WaitingAccounts({ count, isShown }: { count: number; isShown: boolean }) {
  if (isShown) {
    return (
      <p>
        These wait to be confirmed. <a href={PAGES.accounts}>Show all accounts</a>
      </p>
    );
  }
  if (count === 0) return null;
  return (
    <p class="notice">
      {count === 1 ? '1 account waits' : `${formatCount(count)} accounts wait`} to be confirmed.{' '}
      <a href={withQuery(PAGES.accounts, { waiting: 'true' })}>Show them</a>
    </p>
  );
}

function accountsHref(q: string, offset: number): string {
  return withQuery(PAGES.accounts, { q, offset: offset || undefined });
}

function AccountSearch({ q, onInput }: { q: string; onInput(text: string): void }) {
  return (
    <search class="field find-account">
      <label for="find">Find accounts by e-mail address</label>
      <input
        id="find"
        type="search"
        autocomplete="off"
        spellcheck={false}
        value={q}
        maxLength={100}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </search>
  );
}

interface TableProps {
  readonly accounts: readonly ListedAccount[];
  onManage(email: string): void;
}

function AccountTable({ accounts, onManage }: TableProps) {
  if (accounts.length === 0) return <p>No account fits.</p>;
  return (
    <table class="stack">
      <caption class="sr-only">Accounts</caption>
      <thead>
        <tr>
          <th scope="col">E-mail address</th>
          <th scope="col">Plan</th>
          <th scope="col" class="number">
            Used today
          </th>
          <th scope="col">Since</th>
          <th scope="col">State</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <AccountRow key={account.email} account={account} onManage={onManage} />
        ))}
      </tbody>
    </table>
  );
}

function AccountRow({
  account,
  onManage,
}: { account: ListedAccount } & Pick<TableProps, 'onManage'>) {
  const { email, plan, usedToday, dailyRequests, createdAt } = account;
  const { plans } = useSession();
  return (
    <tr>
      <th scope="row" class="long">
        <bdi>{email}</bdi>
      </th>
      <td data-label="Plan">{plans.find(({ name }) => name === plan)?.label ?? plan}</td>
      <td data-label="Used today" class="number">
        {formatCount(usedToday)} of {formatQuota(dailyRequests)}
      </td>
      <td data-label="Since">
        <LocalDate iso={createdAt} />
      </td>
      <td data-label="State">{formatState(account)}</td>
      <td>
        <button type="button" aria-label={`Manage ${email}`} onClick={() => onManage(email)}>
          Manage…
        </button>
      </td>
    </tr>
  );
}

function formatState({ disabledAt, isConfirmed, isOperator }: ListedAccount): string {
  if (disabledAt !== null) return 'disabled';
  if (!isConfirmed) return 'waits to be confirmed';
  return isOperator ? 'operator' : 'active';
}
