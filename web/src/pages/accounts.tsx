import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Static } from 'typebox';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { AccountsPage as AccountsBody, AccountView } from '../../../src/dashboard/schemas.ts';
import { useData } from '../data.ts';
import { formatCount } from '../format.ts';
import { ManageAccount } from '../parts/manage-account.tsx';
import { OperatorPage } from '../parts/operator-page.tsx';
import { Paging } from '../parts/paging.tsx';
import { DateOf } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { withQuery } from '../query.ts';
import { useSession } from '../session.tsx';

export type AccountEntry = Static<typeof AccountView>;

const LIMIT = 50;

/** All accounts, and what the operator does with them. */
export function AccountsPage() {
  const { query, route } = useLocation();
  const { q = '' } = query;
  const offset = Math.max(0, Number.parseInt(query.offset ?? '', 10) || 0);
  const { body, error, isLoading, reload } = useData<Static<typeof AccountsBody>>(
    withQuery('/dashboard/operator/accounts', { q, limit: LIMIT, offset }),
    { whenSeen: true },
  );
  const [managed, setManaged] = useState<string>();
  const addressOf = (to: number) => addressWith(q, to);
  const account = body?.data.find(({ email }) => email === managed);
  return (
    <OperatorPage title="Accounts">
      <Find q={q} onFind={(text) => route(addressWith(text, 0), true)} />
      {body ? (
        <div aria-busy={isLoading}>
          <AccountTable accounts={body.data} onManage={setManaged} />
          <Paging {...body} shown={body.data.length} what="accounts" addressOf={addressOf} />
        </div>
      ) : (
        <Waiting error={error} />
      )}
      {body && error && !error.isPassing && <Waiting error={error} />}
      {account && (
        <ManageAccount account={account} onChanged={reload} onClose={() => setManaged(undefined)} />
      )}
    </OperatorPage>
  );
}

function addressWith(q: string, offset: number): string {
  return withQuery(PAGES.accounts, { q, offset: offset || undefined });
}

function Find({ q, onFind }: { q: string; onFind(text: string): void }) {
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
        onInput={({ currentTarget }) => onFind(currentTarget.value)}
      />
    </search>
  );
}

interface TableProps {
  readonly accounts: readonly AccountEntry[];
  onManage(email: string): void;
}

function AccountTable({ accounts, onManage }: TableProps) {
  if (accounts.length === 0) return <p>No account has such an address.</p>;
  return (
    <table class="stack">
      <caption class="unseen">Accounts</caption>
      <thead>
        <tr>
          <th scope="col">E-mail address</th>
          <th scope="col">Plan</th>
          <th scope="col" class="number">
            Used today
          </th>
          <th scope="col">Since</th>
          <th scope="col">State</th>
          <th scope="col">
            <span class="unseen">What can be done</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <Row key={account.email} account={account} onManage={onManage} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ account, onManage }: { account: AccountEntry } & Pick<TableProps, 'onManage'>) {
  const { email, plan, usedToday, dailyRequests, createdAt } = account;
  const { plans } = useSession();
  return (
    <tr>
      <th scope="row" class="long">
        <bdi>{email}</bdi>
      </th>
      <td data-label="Plan">{plans.find(({ name }) => name === plan)?.label ?? plan}</td>
      <td data-label="Used today" class="number">
        {formatCount(usedToday)} of {formatCount(dailyRequests)}
      </td>
      <td data-label="Since">
        <DateOf iso={createdAt} />
      </td>
      <td data-label="State">{stateOf(account)}</td>
      <td>
        <button type="button" aria-label={`Manage ${email}`} onClick={() => onManage(email)}>
          Manage…
        </button>
      </td>
    </tr>
  );
}

function stateOf({ disabledAt, isOperator }: AccountEntry): string {
  if (disabledAt !== null) return 'disabled';
  return isOperator ? 'operator' : 'active';
}
