import { useLocation, useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { ACTORS, AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from '../../../src/domain/audit.ts';
import { withQuery } from '../api/links.ts';
import type { AuditBody, AuditEntry } from '../api/responses.ts';
import { SelectField } from '../ui/controls.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { formatMoment } from '../ui/format.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { OperatorPage } from './operator-page.tsx';

const ALL = ['', 'all'] as const;

/** The audit log: who did what to accounts, keys, prices and settings. */
export function AuditPage() {
  const { query } = useRoute();
  const { account = '', action = '', actor = '', since = '', until = '' } = query;
  const chosen = { account, action, actor, since, until };
  return (
    <OperatorPage title="Audit">
      <Filters chosen={chosen} />
      <PagedList<AuditBody>
        call={withQuery('/dashboard/operator/audit', chosen)}
        address={withQuery(PAGES.audit, chosen)}
        what="entries"
      >
        {({ data }) => <EntryTable entries={data} />}
      </PagedList>
    </OperatorPage>
  );
}

type Chosen = Readonly<Record<'account' | 'action' | 'actor' | 'since' | 'until', string>>;

function Filters({ chosen }: { chosen: Chosen }) {
  const { route } = useLocation();
  const navigate = (change: Partial<Chosen>) =>
    route(withQuery(PAGES.audit, { ...chosen, ...change }));
  const find = async ({ account = '', since = '', until = '' }: Values) =>
    navigate({ account: account.trim(), since, until });
  return (
    <>
      <div class="operator-filters">
        <SelectField
          label="Action"
          value={chosen.action}
          options={[ALL, ...AUDIT_ACTION_NAMES.map((name) => [name, name] as const)]}
          onChange={(action) => navigate({ action })}
        />
        <SelectField
          label="Actor"
          value={chosen.actor}
          options={[ALL, ...Object.entries(ACTORS)]}
          onChange={(actor) => navigate({ actor })}
        />
      </div>
      <Form action="Find" kind="secondary" onSubmit={find} key={JSON.stringify(chosen)}>
        <Field
          name="account"
          label="E-mail address"
          value={chosen.account}
          maxLength={254}
          isOptional
        />
        <Field name="since" label="From" type="date" value={chosen.since} isOptional />
        <Field name="until" label="Up to" type="date" value={chosen.until} isOptional />
      </Form>
    </>
  );
}

function EntryTable({ entries }: { entries: readonly AuditEntry[] }) {
  if (entries.length === 0) return <p>No matching entries.</p>;
  return (
    <Table
      caption="Audit log, newest first"
      columns={COLUMNS}
      rows={entries}
      keyOf={({ id }) => id}
    />
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { label: 'When', cell: ({ at }) => <time dateTime={at}>{formatMoment(at)}</time> },
  {
    label: 'What',
    cell: ({ action }) => action,
    title: ({ action }) => AUDIT_ACTIONS[action],
  },
  { label: 'Account', kind: 'long', cell: ({ subject }) => subject && <bdi>{subject}</bdi> },
  { label: 'By', kind: 'long', cell: ({ by, actor }) => <bdi>{by ?? actor}</bdi> },
  {
    label: 'From',
    kind: 'long',
    cell: ({ address }) => address,
    title: ({ requestId }) => (requestId ? `request ${requestId}` : undefined),
  },
  { label: 'More', kind: 'long', cell: ({ detail }) => detail && <bdi>{detail}</bdi> },
];
