import { useId } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import { withQuery } from '../api/links.ts';
import type { AccountsBody, ListedAccount } from '../api/responses.ts';
import { usePlanLabels, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { Paging, SelectField } from '../ui/controls.tsx';
import { Field, Form } from '../ui/form.tsx';
import { formatCount, formatQuota } from '../ui/format.ts';
import { ActionsHeading } from '../ui/parts.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { LocalDate, useServerClock } from '../ui/time.tsx';
import { OperatorPage } from './operator-page.tsx';

const PAGE_SIZE = 50;

const ORDERS = [
  ['', 'by e-mail address'],
  ['used', 'used today, most first'],
  ['newest', 'newest first'],
] as const;

/** All accounts of the service, which the operator searches and manages. */
export function AccountsPage() {
  const { query, route } = useLocation();
  const { q = '', waiting = '', sort = '' } = query;
  const offset = Math.max(0, Number.parseInt(query.offset ?? '', 10) || 0);
  const { body, error, isLoading } = useData<AccountsBody>(
    withQuery('/dashboard/operator/accounts', { q, waiting, sort, limit: PAGE_SIZE, offset }),
    { refetchOnVisible: true },
  );
  return (
    <OperatorPage title="Accounts">
      <div class="operator-filters">
        <AccountSearch q={q} onInput={(text) => route(accountsHref({ q: text, sort }), true)} />
        <SelectField
          label="Sort"
          value={sort}
          options={ORDERS}
          onChange={(chosen) => route(accountsHref({ q, sort: chosen }))}
        />
      </div>
      <CreateAccount />
      {body ? (
        <div aria-busy={isLoading}>
          <WaitingAccounts count={body.waiting} isShown={waiting !== ''} />
          <AccountTable accounts={body.data} isUsedOnly={sort === 'used'} />
          <Paging
            {...body}
            shown={body.data.length}
            what="accounts"
            hrefOf={(to) => accountsHref({ q, sort, waiting }, to)}
          />
        </div>
      ) : (
        <Loading error={error} />
      )}
      {body && <PermanentError error={error} />}
      <MonthLinks />
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

interface Chosen {
  readonly q?: string;
  readonly sort?: string;
  readonly waiting?: string;
}

function accountsHref(chosen: Chosen, offset = 0): string {
  return withQuery(PAGES.accounts, { ...chosen, offset: offset || undefined });
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
  if (accounts.length === 0) {
    return <p>{isUsedOnly ? 'None of these accounts was used today.' : 'No matching accounts.'}</p>;
  }
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
          <AccountRow key={account.email} account={account} />
        ))}
      </tbody>
    </table>
  );
}

function AccountRow({ account }: { account: ListedAccount }) {
  const { email, plan, usedToday, dailyRequests, createdAt } = account;
  const planLabel = usePlanLabels();
  return (
    <tr>
      <th scope="row" class="long">
        <bdi>{email}</bdi>
      </th>
      <td data-label="Plan">{planLabel(plan)}</td>
      <td data-label="Used today" class="number">
        {formatCount(usedToday)} of {formatQuota(dailyRequests)}
      </td>
      <td data-label="Since">
        <LocalDate iso={createdAt} />
      </td>
      <td data-label="State">{describeState(account)}</td>
      <td>
        <a
          class="button"
          href={withQuery(PAGES.operatorAccount, { email })}
          aria-label={`Manage ${email}`}
        >
          Manage
        </a>
      </td>
    </tr>
  );
}

/** The form that creates an account and leads to its page. */
export function CreateAccount() {
  const { plans } = useSession();
  const { route } = useLocation();
  const id = useId();
  const create = async ({ email = '', plan = '' }: Record<string, string>) => {
    await post('/dashboard/operator/accounts', { email: email.trim(), plan });
    route(withQuery(PAGES.operatorAccount, { email: email.trim().toLowerCase() }));
  };
  return (
    <details class="create-account">
      <summary>Create an account</summary>
      <Form action="Create the account" onSubmit={create}>
        <p>It is confirmed at once. Next, create a link with which its owner sets a password.</p>
        <Field
          name="email"
          label="E-mail address"
          type="email"
          autocomplete="off"
          maxLength={254}
        />
        <div class="field">
          <label for={id}>Plan</label>
          <select id={id} name="plan">
            {plans.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </Form>
    </details>
  );
}

/** Describes the state of an account in a few words. */
export function describeState({ disabledAt, isConfirmed, isOperator }: ListedAccount): string {
  if (disabledAt !== null) return isOperator ? 'operator, disabled' : 'disabled';
  if (!isConfirmed) return 'not confirmed';
  return isOperator ? 'operator' : 'active';
}
