import { useState } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { AlertMail } from '../../../src/domain/alerts.ts';
import { post } from '../api/call.ts';
import { setHref } from '../api/links.ts';
import type { Alert, AlertEvent } from '../api/responses.ts';
import { useAccount, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmButton } from '../ui/dialog.tsx';
import { formatCount, formatCounted, formatDay, formatMoney, formatPercent } from '../ui/format.ts';
import { useAction } from '../ui/hooks.ts';
import { Page } from '../ui/page.tsx';
import { ErrorMessage, Fetched, type Outcome, OutcomeMessage } from '../ui/status.tsx';
import { actionsColumn, type Column, Table } from '../ui/table.tsx';
import { Age } from '../ui/time.tsx';
import { CopyOfCard } from './copy-of-card.tsx';
import { MAIL_LABELS, ruleLabel } from './labels.ts';

/** The alerts of the account, and their events. */
export function AlertsPage() {
  const loaded = useData<{ data: readonly Alert[] }>('/dashboard/alerts', {
    refetchOnVisible: true,
  });
  const [outcome, setOutcome] = useState<Outcome>();
  const showOutcome = (text: string) => {
    setOutcome({ text });
    loaded.refetch();
  };
  return (
    <Page title="Alerts">
      <p>
        An alert fires when a price crosses what you chose. It is listed here, mailed if you like,
        and sent to your <a href={PAGES.webhooks}>webhooks</a>.
      </p>
      <OutcomeMessage outcome={outcome} />
      <Fetched of={loaded}>
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <NoAlerts />
            ) : (
              <AlertTable alerts={data} onOutcome={showOutcome} />
            )}
            <Limit count={data.length} />
            {data.length > 0 && <Fired />}
          </>
        )}
      </Fetched>
    </Page>
  );
}

/** The number of alerts, and the number that the plan includes. */
function Limit({ count }: { count: number }) {
  const { plans } = useSession();
  const { plan } = useAccount();
  const limit = plans.find(({ name }) => name === plan)?.alerts ?? 0;
  return (
    <p class="hint">
      {formatCount(count)} of {formatCounted(limit, 'alert')} that your plan includes.{' '}
      <a href={PAGES.plans}>See the plans</a>
    </p>
  );
}

function NoAlerts() {
  return (
    <p class="empty">
      The account has no alerts. <a href={PAGES.search}>Open a card</a>, a set or a list, and choose
      “Alert me”.
    </p>
  );
}

interface AlertTableProps {
  readonly alerts: readonly Alert[];
  onOutcome(text: string): void;
}

function AlertTable({ alerts, onOutcome }: AlertTableProps) {
  const { mail } = useSession();
  const columns: readonly Column<Alert>[] = [
    { label: 'Alert', cell: (alert) => <AlertName alert={alert} /> },
    { label: 'When the price', cell: ruleLabel },
    { label: 'Price now', kind: 'number', cell: priceNow },
    ...(mail
      ? [
          {
            label: 'Mail',
            cell: (alert: Alert) => <MailChoice alert={alert} onOutcome={onOutcome} />,
          },
        ]
      : []),
    {
      label: 'Last fired',
      cell: ({ firedAt }) => (firedAt === null ? 'never' : <Age iso={firedAt} />),
    },
    actionsColumn((alert) => <AlertActions alert={alert} onOutcome={onOutcome} />),
  ];
  return <Table caption="Alerts" columns={columns} rows={alerts} keyOf={({ id }) => id} />;
}

/** The subject of an alert. */
function AlertName({ alert }: { alert: Alert }) {
  const { name, card, cardName, printing, condition, grade, set, setName, game, lineCount } = alert;
  return (
    <>
      {card !== undefined && cardName !== undefined && printing !== undefined && (
        <CopyOfCard of={{ card, cardName, printing, condition, grade }} />
      )}
      {set !== undefined && game !== undefined && (
        <a href={setHref(game, set)}>
          <bdi>{setName ?? set}</bdi>
        </a>
      )}
      {card === undefined && set === undefined && (
        <bdi>{name === '' ? formatCounted(lineCount ?? 0, 'card') : name}</bdi>
      )}
      {alert.pausedAt !== null && <span class="quiet"> (paused)</span>}
    </>
  );
}

/** The price of the only copy that an alert watches, and its distance from firing. */
function priceNow({ kind, amount, price }: Alert) {
  if (price === null) return <span class="quiet">–</span>;
  const isReached = amount !== null && (kind === 'above' ? price >= amount : price <= amount);
  return (
    <>
      {formatMoney(price)}
      {amount !== null && price > 0 && (
        <>
          {' '}
          <span class="quiet">
            {isReached ? 'reached' : `${formatPercent(changeTo(price, amount))} to go`}
          </span>
        </>
      )}
    </>
  );
}

/** The change from a price to an amount. */
function changeTo(price: number, amount: number) {
  return { amount: amount - price, percent: (amount / price - 1) * 100 };
}

interface RowProps {
  readonly alert: Alert;
  onOutcome(text: string): void;
}

function labelOf({ cardName, setName, name, lineCount }: Alert): string {
  return cardName ?? setName ?? (name === '' ? formatCounted(lineCount ?? 0, 'card') : name);
}

/** Selects when to mail the events of an alert. */
function MailChoice({ alert, onOutcome }: RowProps) {
  const { error, run } = useAction();
  const choose = (mail: AlertMail) => {
    return run(async () => {
      await post(`/dashboard/alerts/${alert.id}/mail`, { mail });
      onOutcome('The mail of the alert is changed.');
    });
  };
  return (
    <>
      <select
        aria-label={`Mail of ${labelOf(alert)}`}
        value={alert.mail}
        onChange={({ currentTarget }) => choose(currentTarget.value as AlertMail)}
      >
        {Object.entries(MAIL_LABELS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ErrorMessage error={error} />
    </>
  );
}

function AlertActions({ alert, onOutcome }: RowProps) {
  const { error, run } = useAction();
  const path = `/dashboard/alerts/${alert.id}`;
  const isPaused = alert.pausedAt !== null;
  const [action, label] = isPaused ? ['resume', 'Resume'] : ['pause', 'Pause'];
  const change = () => {
    return run(async () => {
      await post(`${path}/${action}`);
      onOutcome(`The alert is ${isPaused ? 'resumed' : 'paused'}.`);
    });
  };
  return (
    <>
      <div class="row">
        <button type="button" aria-label={`${label} ${labelOf(alert)}`} onClick={change}>
          {label}
        </button>
        <ConfirmButton
          label="Delete…"
          title="Delete the alert?"
          action="Delete"
          onConfirm={() => post(`${path}/delete`)}
          onDone={() => onOutcome('The alert is deleted.')}
        >
          <p>
            The alert for <bdi>{labelOf(alert)}</bdi> and what it fired are deleted.
          </p>
        </ConfirmButton>
      </div>
      <ErrorMessage error={error} />
    </>
  );
}

const EVENT_COLUMNS: readonly Column<AlertEvent>[] = [
  { label: 'Card', cell: (event) => <CopyOfCard of={event} /> },
  { label: 'Day', cell: ({ date }) => formatDay(date) },
  { label: 'Before', kind: 'number', cell: ({ before }) => formatMoney(before) },
  { label: 'Then', kind: 'number', cell: ({ after }) => formatMoney(after) },
];

/** The events, newest first. */
function Fired() {
  const loaded = useData<{ data: readonly AlertEvent[] }>('/dashboard/alerts/events', {
    refetchOnVisible: true,
  });
  return (
    <>
      <h2>What fired</h2>
      <Fetched of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p>Nothing fired yet.</p>
          ) : (
            <Table
              caption="What fired, newest first"
              columns={EVENT_COLUMNS}
              rows={data}
              keyOf={({ id = '' }) => id}
            />
          )
        }
      </Fetched>
    </>
  );
}
