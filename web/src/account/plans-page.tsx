import './account.css';
import type { Static } from 'typebox';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { PlanView } from '../../../src/dashboard/views.ts';
import { useSession } from '../api/session.ts';
import { formatCount, formatMoney, formatQuota } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { FEATURE_LABELS } from './labels.ts';

type Plan = Static<typeof PlanView>;

/** What every plan includes. */
const EVERY_PLAN = [
  'Search, cards, sets and games with current prices',
  'Prices by printing, condition and grade',
];

/** What each plan includes and costs. */
export function PlansPage() {
  const { plans, account } = useSession();
  return (
    <Page title="Plans">
      <ul class="plans">
        {plans.map((plan) => (
          <PlanCard key={plan.name} plan={plan} isOwn={plan.name === account?.plan} />
        ))}
      </ul>
      <h2>Changing the plan</h2>
      <HowToChange />
    </Page>
  );
}

function PlanCard({ plan, isOwn }: { plan: Plan; isOwn: boolean }) {
  const { label, price, dailyRequests, historyDays, features } = plan;
  return (
    <li aria-current={isOwn ? 'true' : undefined}>
      <div class="row">
        <h2>{label}</h2>
        {isOwn && <span class="own">your plan</span>}
      </div>
      <p class="figure">{price === 0 ? <strong>free</strong> : <MonthlyPrice price={price} />}</p>
      <ul>
        <li>{formatQuota(dailyRequests)} requests per day for all keys together</li>
        {EVERY_PLAN.map((included) => (
          <li key={included}>{included}</li>
        ))}
        {!features.includes('history') && (
          <li>Price history on these pages{formatHistory(historyDays)}</li>
        )}
        {features.map((feature) => (
          <li key={feature}>
            {FEATURE_LABELS[feature]}
            {feature === 'history' && formatHistory(historyDays)}
          </li>
        ))}
      </ul>
    </li>
  );
}

function formatHistory(days: number | null): string {
  return days === null ? '' : `, ${formatCount(days)} days back`;
}

function MonthlyPrice({ price }: { price: number }) {
  return (
    <>
      <strong>{formatMoney(price)}</strong> per month
    </>
  );
}

function HowToChange() {
  const { account } = useSession();
  if (account?.isOperator) {
    return (
      <p>
        You are an operator of this service. Change the plan of any account, including your own,
        under <a href={PAGES.accounts}>Accounts</a>.
      </p>
    );
  }
  return (
    <p>
      Ask the operator of this service. The new plan applies from your next request, and your keys
      stay the same.
    </p>
  );
}
