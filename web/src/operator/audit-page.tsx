import { useLocation, useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { ACTORS, AUDIT_ACTION_NAMES } from '../../../src/domain/audit.ts';
import { withQuery } from '../api/links.ts';
import type { AuditBody } from '../api/responses.ts';
import { Filters, SelectField } from '../ui/controls.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { AuditList } from './audit-list.tsx';
import { OperatorPage } from './operator-page.tsx';

const ALL = ['', 'all'] as const;

/** The audit log: who did what to accounts, keys, prices and settings. */
export function AuditPage() {
  const { query } = useRoute();
  const { account = '', action = '', actor = '', since = '', until = '' } = query;
  const chosen = { account, action, actor, since, until };
  return (
    <OperatorPage title="Audit log">
      <AuditFilters chosen={chosen} />
      <h2 class="sr-only">Entries</h2>
      <PagedList<AuditBody>
        call={withQuery('/dashboard/operator/audit', chosen)}
        address={withQuery(PAGES.audit, chosen)}
        what="entries"
      >
        {({ data }) =>
          data.length === 0 ? <p>No matching entries.</p> : <AuditList entries={data} />
        }
      </PagedList>
    </OperatorPage>
  );
}

type Chosen = Readonly<Record<'account' | 'action' | 'actor' | 'since' | 'until', string>>;

function AuditFilters({ chosen }: { chosen: Chosen }) {
  const { route } = useLocation();
  const navigate = (change: Partial<Chosen>) =>
    route(withQuery(PAGES.audit, { ...chosen, ...change }));
  const find = async ({ account = '', since = '', until = '' }: Values) =>
    navigate({ account: account.trim(), since, until });
  return (
    <div class="operator-filters">
      <Filters count={Object.values(chosen).filter(Boolean).length}>
        <SelectField
          label="Action"
          value={chosen.action}
          options={[ALL, ...AUDIT_ACTION_NAMES.map((name) => [name, wordsOf(name)] as const)]}
          onChange={(action) => navigate({ action })}
        />
        <SelectField
          label="Actor"
          value={chosen.actor}
          options={[ALL, ...Object.entries(ACTORS)]}
          onChange={(actor) => navigate({ actor })}
        />
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
      </Filters>
    </div>
  );
}

/** `key-created` as `key created`. */
function wordsOf(action: string): string {
  return action.replaceAll('-', ' ');
}
