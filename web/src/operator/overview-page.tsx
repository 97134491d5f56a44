import { PAGES } from '../../../src/dashboard/pages.ts';
import { withQuery } from '../api/links.ts';
import type {
  AccountsBody,
  AuditBody,
  AuditEntry,
  Health,
  QuarantineDigestBody,
  SourceHealth,
} from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { formatCounted } from '../ui/format.ts';
import { Loading } from '../ui/status.tsx';
import { AlarmList } from './alarm-list.tsx';
import { type Alarm, alarmsOf } from './alarms.ts';
import { AuditList } from './audit-list.tsx';
import { useHealth, useSources } from './health.ts';
import { OperatorPage } from './operator-page.tsx';
import { ServiceFacts } from './service-facts.tsx';

/**
 * The first page for operators: matters that need attention, the figures of the service and the
 * last actions.
 */
export function OverviewPage() {
  const health = useHealth();
  const sources = useSources();
  const digest = useData<QuarantineDigestBody>('/dashboard/operator/quarantine/digest?limit=1', {
    refetchOnVisible: true,
  });
  const accounts = useData<AccountsBody>('/dashboard/operator/accounts?limit=1', {
    refetchOnVisible: true,
  });
  const audit = useData<AuditBody>('/dashboard/operator/audit?limit=5', { refetchOnVisible: true });
  const parts = [health, sources, digest, accounts, audit];
  return (
    <OperatorPage title="Overview">
      {health.body && sources.body && digest.body && accounts.body && audit.body ? (
        <Overview
          health={health.body.data}
          sources={sources.body.data}
          digest={digest.body}
          waiting={accounts.body.waiting}
          actions={audit.body.data}
        />
      ) : (
        <Loading error={parts.find(({ error }) => error)?.error} />
      )}
    </OperatorPage>
  );
}

interface OverviewProps {
  readonly health: Health;
  readonly sources: readonly SourceHealth[];
  readonly digest: QuarantineDigestBody;
  /** The number of accounts that wait for confirmation. */
  readonly waiting: number;
  /** The last entries of the audit log. */
  readonly actions: readonly AuditEntry[];
}

function Overview({ health, sources, digest, waiting, actions }: OverviewProps) {
  const alarms = alarmsOf({ health, sources, gameName: useGameNames() });
  const items = [...alarms, ...quarantineItem(digest), ...accountsItem(waiting)];
  return (
    <>
      <h2>Needs attention</h2>
      {items.length > 0 ? (
        <AlarmList alarms={items} />
      ) : (
        <p class="all-well">
          All is well: every check passes, the prices of all watched sources are fresh, and nothing
          waits for you.
        </p>
      )}
      <h2>Figures</h2>
      <ServiceFacts health={health} />
      <h2>Last actions</h2>
      <AuditList entries={actions} />
      <p>
        <a href={PAGES.audit}>See the whole audit log</a>
      </p>
    </>
  );
}

function quarantineItem({ total, entries }: QuarantineDigestBody): readonly Alarm[] {
  if (total === 0) return [];
  const prices = entries === 1 ? '1 price waits' : `${formatCounted(entries, 'price')} wait`;
  return [
    {
      state: 'warning',
      about: 'Quarantine',
      says: `${prices} for ${formatCounted(total, 'decision')}.`,
      fix: 'Approve or reject them. Those with the most money at stake come first.',
      href: withQuery(PAGES.quarantine, { show: 'digest' }),
    },
  ];
}

function accountsItem(waiting: number): readonly Alarm[] {
  if (waiting === 0) return [];
  return [
    {
      state: 'warning',
      about: 'Accounts',
      says:
        waiting === 1
          ? '1 account waits for confirmation.'
          : `${formatCounted(waiting, 'account')} wait for confirmation.`,
      fix: 'Confirm those whose owners you know.',
      href: withQuery(PAGES.accounts, { waiting: 'true' }),
    },
  ];
}
