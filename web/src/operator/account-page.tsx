import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { useAccount, useSession } from '../account/session.tsx';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { formatCount, formatQuota } from '../ui/format.ts';
import { Loading, PermanentError } from '../ui/status.tsx';
import { LocalDate } from '../ui/time.tsx';
import {
  AccessForm,
  ConfirmForm,
  DeleteForm,
  LimitsForm,
  OperatorForm,
  PlanForm,
  ResetLinkForm,
} from './account-forms.tsx';
import { AccountKeys } from './account-keys.tsx';
import { describeState } from './account-state.ts';
import { OperatorPage } from './operator-page.tsx';
import type { ListedAccount } from './responses.ts';

/** One account, with all that an operator can do with it. */
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

interface Props {
  readonly account: ListedAccount;
  onChanged(): void;
}

function AccountDetails({ account, onChanged, onDeleted }: Props & { onDeleted(): void }) {
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
              This is your own account. Only another operator can disable or delete it, or take the
              role away, so that you do not lock yourself out.
            </p>
          ) : (
            <>
              <AccessForm account={account} onChanged={onChanged} />
              <OperatorForm account={account} onChanged={onChanged} />
            </>
          )}
        </section>
        <section aria-labelledby="limits">
          <h2 id="limits">Limits of its own</h2>
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
  const { plans } = useSession();
  const { plan, usedToday, dailyRequests, createdAt } = account;
  return (
    <Facts>
      <Fact name="State">{describeState(account)}</Fact>
      <Fact name="Plan">{plans.find(({ name }) => name === plan)?.label ?? plan}</Fact>
      <Fact name="Used today">
        {formatCount(usedToday)} of {formatQuota(dailyRequests)}
      </Fact>
      <Fact name="Since">
        <LocalDate iso={createdAt} />
      </Fact>
    </Facts>
  );
}
