import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { withQuery } from '../api/links.ts';
import { postOnce } from '../api/post-once.ts';
import type { AccountsBody, ListedAccount } from '../api/responses.ts';
import { usePlanLabels } from '../api/session.ts';
import { Breakable } from '../ui/breakable.tsx';
import { SelectField } from '../ui/controls.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { formatCount } from '../ui/format.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { actionsColumn, type Column, Table } from '../ui/table.tsx';
import { LocalDate, useServerClock } from '../ui/time.tsx';
import { describeState, describeUse, PlanField } from './account-parts.tsx';
import { OperatorPage } from './operator-page.tsx';

const ORDERS = [
  ['', 'by e-mail address'],
  ['used', 'used today, most first'],
  ['newest', 'newest first'],
] as const;

/** All accounts of the service, which the operator searches and manages. */
export function AccountsPage() {
  const { query, route } = useLocation();
  const { q = '', waiting = '', sort = '' } = query;
  return (
    <OperatorPage title="Accounts">
      <div class="operator-filters">
        <AccountSearch q={q} onInput={(text) => route(hrefOf({ q: text, sort }), true)} />
        <SelectField
          label="Sort"
          value={sort}
          options={ORDERS}
          onChange={(chosen) => route(hrefOf({ q, sort: chosen }))}
        />
      </div>
      <CreateAccount />
      <PagedList<AccountsBody>
        call={withQuery('/dashboard/operator/accounts', { q, waiting, sort })}
        address={hrefOf({ q, sort, waiting })}
        what="accounts"
      >
        {(body) => (
          <>
            <WaitingAccounts count={body.waiting} isShown={waiting !== ''} />
            <AccountTable accounts={body.data} isUsedOnly={sort === 'used'} />
          </>
        )}
      </PagedList>
      <MonthLinks />
    </OperatorPage>
  );
}

/** Links to the usage of every account in this month and the last, for invoices. */
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

/** The number of accounts that wait for confirmation, with a link that shows only these. */
function WaitingAccounts({ count, isShown }: { count: number; isShown: boolean }) {
  if (isShown) {
    return (
      <p>
        These accounts wait for confirmation. <a href={PAGES.accounts}>Show all accounts</a>
      </p>
    );
  }
  if (count === 0) return null;
  return (
    <p class="notice">
      {count === 1 ? '1 account waits' : `${formatCount(count)} accounts wait`} for confirmation.{' '}
      <a href={withQuery(PAGES.accounts, { waiting: 'true' })}>Show them</a>
    </p>
  );
}

type Chosen = Readonly<Partial<Record<'q' | 'sort' | 'waiting', string>>>;

function hrefOf(chosen: Chosen): string {
  return withQuery(PAGES.accounts, chosen);
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
  /** Whether the list has only accounts that were used today. */
  readonly isUsedOnly: boolean;
}

function AccountTable({ accounts, isUsedOnly }: TableProps) {
  const planLabel = usePlanLabels();
  if (accounts.length === 0) {
    return <p>{isUsedOnly ? 'None of these accounts was used today.' : 'No matching accounts.'}</p>;
  }
  const columns: readonly Column<ListedAccount>[] = [
    {
      label: 'E-mail address',
      kind: 'long',
      cell: ({ email }) => (
        <bdi>
          <Breakable text={email} />
        </bdi>
      ),
    },
    { label: 'Plan', cell: ({ plan }) => planLabel(plan) },
    { label: 'Used today', kind: 'number', cell: describeUse },
    { label: 'Since', cell: ({ createdAt }) => <LocalDate iso={createdAt} /> },
    { label: 'State', cell: describeState },
    actionsColumn(({ email }) => (
      <a
        class="button"
        href={withQuery(PAGES.operatorAccount, { email })}
        aria-label={`Manage ${email}`}
      >
        Manage
      </a>
    )),
  ];
  return (
    <Table caption="Accounts" columns={columns} rows={accounts} keyOf={({ email }) => email} />
  );
}

/** The form that creates an account and leads to its page. */
function CreateAccount() {
  const { route } = useLocation();
  const create = async ({ email = '', plan = '' }: Values) => {
    await postOnce('/dashboard/operator/accounts', { email: email.trim(), plan });
    route(withQuery(PAGES.operatorAccount, { email: email.trim().toLowerCase() }));
  };
  return (
    <details class="create-account">
      <summary>Create an account</summary>
      <Form action="Create the account" onSubmit={create}>
        <p>
          The account is confirmed immediately. Next, create a link that lets its owner set a
          password.
        </p>
        <Field name="email" label="E-mail address" type="email" maxLength={254} />
        <PlanField />
      </Form>
    </details>
  );
}
