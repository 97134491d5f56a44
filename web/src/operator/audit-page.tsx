import { useLocation, useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { ACTORS, AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from '../../../src/domain/audit.ts';
import { withQuery } from '../api/links.ts';
import type { AuditBody, AuditEntry } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { Paging, SelectField } from '../ui/controls.tsx';
import { Field, Form } from '../ui/form.tsx';
import { formatMoment } from '../ui/format.ts';
import { Loading, PermanentError } from '../ui/status.tsx';
import { OperatorPage } from './operator-page.tsx';

const PAGE_SIZE = 50;
const ALL = ['', 'all'] as const;

/** The audit log: who did what to accounts, keys, prices and settings. */
export function AuditPage() {
  const { query } = useRoute();
  const { account = '', action = '', actor = '', since = '', until = '' } = query;
  const chosen = { account, action, actor, since, until };
  const offset = Math.max(0, Number.parseInt(query.offset ?? '', 10) || 0);
  const { body, error, isLoading } = useData<AuditBody>(
    withQuery('/dashboard/operator/audit', { ...chosen, limit: PAGE_SIZE, offset }),
    { refetchOnVisible: true },
  );
  return (
    <OperatorPage title="Audit">
      <Filters chosen={chosen} />
      {body ? (
        <div aria-busy={isLoading}>
          <EntryTable entries={body.data} />
          <Paging
            {...body}
            shown={body.data.length}
            what="entries"
            hrefOf={(to) => withQuery(PAGES.audit, { ...chosen, offset: to || undefined })}
          />
        </div>
      ) : (
        <Loading error={error} />
      )}
      {body && <PermanentError error={error} />}
    </OperatorPage>
  );
}

type Chosen = Readonly<Record<'account' | 'action' | 'actor' | 'since' | 'until', string>>;

function Filters({ chosen }: { chosen: Chosen }) {
  const { route } = useLocation();
  const navigate = (change: Partial<Chosen>) =>
    route(withQuery(PAGES.audit, { ...chosen, ...change }));
  const find = async ({ account = '', since = '', until = '' }: Record<string, string>) =>
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
          autocomplete="off"
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
    <table class="stack">
      <caption class="sr-only">Audit log, newest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col">Account</th>
          <th scope="col">By</th>
          <th scope="col">From</th>
          <th scope="col">More</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { at, action, actor, by, subject, address, requestId, detail } = entry;
  return (
    <tr>
      <th scope="row">
        <time dateTime={at}>{formatMoment(at)}</time>
      </th>
      <td data-label="What" title={AUDIT_ACTIONS[action]}>
        {action}
      </td>
      <td data-label="Account" class="long">
        {subject && <bdi>{subject}</bdi>}
      </td>
      <td data-label="By" class="long">
        <bdi>{by ?? actor}</bdi>
      </td>
      <td data-label="From" class="long" title={requestId ? `request ${requestId}` : undefined}>
        {address}
      </td>
      <td data-label="More" class="long">
        {detail && <bdi>{detail}</bdi>}
      </td>
    </tr>
  );
}
