import type { Static } from 'typebox';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { PlanView } from '../../../src/dashboard/views.ts';
import { FREE } from '../../../src/domain/plans.ts';
import { useSession } from '../api/session.ts';
import { formatCount, formatMoney, formatQuota } from '../ui/format.ts';
import { partsOfText } from '../ui/linked-text.ts';
import { Page } from '../ui/page.tsx';
import { FEATURE_LABELS } from './labels.ts';

type Plan = Static<typeof PlanView>;

/** A cell of the comparison of plans: a text, or whether the plan includes the feature. */
type Row = readonly [label: string, cell: (plan: Plan) => string | boolean];

const ROWS: readonly Row[] = [
  ['Price per month', ({ price }) => (price === 0 ? 'free' : formatMoney(price))],
  ['Search, cards, sets and games with current prices', () => true],
  ['Prices by printing, condition and grade', () => true],
  [
    'Price history on these pages',
    ({ historyDays }) => (historyDays === null ? 'all days' : `${formatCount(historyDays)} days`),
  ],
  ['Pricing of pasted lists on these pages', () => true],
  ['Alerts on prices', ({ alerts }) => formatCount(alerts)],
  ['Card lookups per day on these pages', ({ dailyLookups }) => formatQuota(dailyLookups)],
];

const API_ROWS: readonly Row[] = [
  ['Requests per day for all keys together', ({ dailyRequests }) => formatQuota(dailyRequests)],
  ...entriesOf(FEATURE_LABELS).map(([feature, label]): Row => {
    return [label, ({ features }) => features.includes(feature)];
  }),
];

function entriesOf<Key extends string>(record: Readonly<Record<Key, string>>) {
  return Object.entries(record) as [Key, string][];
}

/** The features and the price of each plan. */
export function PlansPage() {
  const { plans, account, signUp } = useSession();
  return (
    <Page title="Plans">
      <table class="plans">
        <thead>
          <tr>
            <td />
            {plans.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
                {name === account?.plan && <span class="own">your plan</span>}
              </th>
            ))}
          </tr>
        </thead>
        <Rows rows={ROWS} />
        <tbody>
          <tr>
            <th scope="colgroup" colSpan={plans.length + 1}>
              <strong>In the API</strong>
            </th>
          </tr>
        </tbody>
        <Rows rows={API_ROWS} />
      </table>
      {!account && signUp !== 'off' && (
        <p>
          <a class="button" href={PAGES.signUp}>
            Sign up
          </a>
        </p>
      )}
      <h2>How to get a plan</h2>
      <ul>
        {plans.map((plan) => (
          <li key={plan.name}>
            <strong class="plan-label">{plan.label}</strong>: <HowToGet plan={plan} />
          </li>
        ))}
      </ul>
      <HowToChange />
    </Page>
  );
}

function Rows({ rows }: { rows: readonly Row[] }) {
  const { plans } = useSession();
  return (
    <tbody>
      {rows.map(([label, cell]) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {plans.map((plan) => (
            <td key={plan.name}>{cellOf(cell(plan))}</td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function cellOf(value: string | boolean) {
  if (typeof value === 'string') return value;
  return (
    <>
      <span aria-hidden="true">{value ? '✓' : '–'}</span>
      <span class="sr-only">{value ? 'included' : 'not included'}</span>
    </>
  );
}

/** The operator's text on how to get a plan, or whom to ask. */
function HowToGet({ plan: { name, howToGet } }: { plan: Plan }) {
  const { signUp } = useSession();
  if (howToGet !== '') {
    return partsOfText(howToGet).map(({ text, href }) => {
      return href === undefined ? (
        text
      ) : (
        <a key={text} href={href} rel="noopener noreferrer">
          {text}
        </a>
      );
    });
  }
  if (name !== FREE || signUp === 'off') return <>ask the operator of this service.</>;
  return (
    <>
      <a href={PAGES.signUp}>create an account</a>.
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
  return <p>A new plan applies from your next request, and your keys stay the same.</p>;
}
