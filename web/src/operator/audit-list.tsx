import { PAGES } from '../../../src/dashboard/pages.ts';
import { withQuery } from '../api/links.ts';
import type { AuditEntry } from '../api/responses.ts';
import { Breakable } from '../ui/breakable.tsx';
import { formatDate, formatMoment } from '../ui/format.ts';
import { Disclosure } from '../ui/parts.tsx';
import { describeEntry, type SentencePart } from './audit-sentences.ts';

/** Entries of the audit log by day, each as a sentence with its record behind a summary. */
export function AuditList({ entries }: { entries: readonly AuditEntry[] }) {
  const days = Map.groupBy(entries, ({ at }) => formatDate(at));
  return [...days].map(([day, own]) => (
    <section key={day} aria-label={day}>
      <h3>{day}</h3>
      <ul class="audit">
        {own.map((entry) => (
          <AuditItem key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  ));
}

const TIME = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

function AuditItem({ entry }: { entry: AuditEntry }) {
  const { id, at } = entry;
  return (
    <li>
      <time dateTime={at} title={formatMoment(at)}>
        {TIME.format(Date.parse(at))}
      </time>
      <p>
        {describeEntry(entry).map((part, index) => (
          <Part key={`${index} ${part.text}`} part={part} />
        ))}
      </p>
      <Disclosure summary={`Record ${id}`} render={() => <Fields entry={entry} />} />
    </li>
  );
}

/** A part of a sentence. The address of an account leads to all of its entries. */
function Part({ part: { text, isName } }: { part: SentencePart }) {
  if (!isName) return <bdi>{text}</bdi>;
  const name = (
    <bdi>
      <Breakable text={text} />
    </bdi>
  );
  if (!text.includes('@')) return <strong>{name}</strong>;
  return <a href={withQuery(PAGES.audit, { account: text })}>{name}</a>;
}

/** The record as stored. */
function Fields({ entry }: { entry: AuditEntry }) {
  return (
    <dl class="record">
      {Object.entries(entry).map(([field, value]) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <bdi>
              <Breakable text={String(value ?? 'none')} />
            </bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
