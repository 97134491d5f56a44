import { PAGES } from '../../../src/dashboard/pages.ts';
import type { ExplanationBody } from '../api/responses.ts';
import { useFeature } from '../api/session.ts';
import type { Loaded } from '../api/use-data.ts';
import { formatMoment, formatMoney } from '../ui/format.ts';
import { Loading } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import { labelPrice } from './price-names.ts';

export interface ExplanationProps {
  /** The printing whose numbers are explained; null for a card without any. */
  readonly printing: string | null;
  /** The names of the sources of its numbers. */
  readonly sources: readonly string[];
  readonly explanation: Loaded<{ data: ExplanationBody }>;
}

/** The origin of the prices of a card. */
export function Explanation({ printing, sources, explanation }: ExplanationProps) {
  const { isIncluded } = useFeature('explain');
  if (!isIncluded) return <Origin sources={sources} />;
  return <ExplanationDetails explanation={explanation} printing={printing} />;
}

/** The sources of all prices, for readers whose plan does not explain each price. */
function Origin({ sources }: Pick<ExplanationProps, 'sources'>) {
  const { cheapestPlan } = useFeature('explain');
  return (
    <p>
      {sources.length > 0 ? `All prices are from ${sources.join(', ')}.` : 'No source has a price.'}
      {cheapestPlan !== undefined && (
        <>
          {' '}
          The {cheapestPlan} plan shows when each price was observed and which prices were left out.{' '}
          <a href={PAGES.plans}>See the plans</a>
        </>
      )}
    </p>
  );
}

function ExplanationDetails({
  explanation: { body, error },
  printing,
}: Omit<ExplanationProps, 'sources'>) {
  if (!body) return <Loading error={error} />;
  const { printings, quarantined } = body.data;
  const { numbers: all = [], missing = [] } = printings.find(({ name }) => name === printing) ?? {};
  const numbers = all.filter(({ value }) => value !== null);
  const ofPrinting = quarantined.filter((item) => {
    return item.printing === null || item.printing === printing;
  });
  return (
    <>
      {numbers.length > 0 ? <Quotes numbers={numbers} /> : <p>No source has a price.</p>}
      {missing.length > 0 && <MissingList items={missing} />}
      {ofPrinting.length > 0 && <QuarantinedList items={ofPrinting} />}
    </>
  );
}

type ExplainedPrinting = ExplanationBody['printings'][number];
type ExplainedNumber = ExplainedPrinting['numbers'][number];

/** A line for each price, which unfolds to the reason why it is served. */
function Quotes({ numbers }: { numbers: readonly ExplainedNumber[] }) {
  return (
    <ul class="quotes">
      {numbers.map((number) => (
        <li key={number.name}>
          <Quote number={number} />
        </li>
      ))}
    </ul>
  );
}

function Quote({ number }: { number: ExplainedNumber }) {
  const { name, value, marketplace, source, observedAt, explanation, leftOut } = number;
  return (
    <details>
      <summary>
        <span class="quote-label">{labelPrice(name)}</span>{' '}
        <strong class="quote-amount">{formatMoney(value)}</strong>{' '}
        <span class="quiet">
          {formatOrigin(source, marketplace)}
          {observedAt && (
            <>
              , <Age iso={observedAt} />
            </>
          )}
        </span>
      </summary>
      <p>
        {explanation} {observedAt && `Observed ${formatMoment(observedAt)}.`}
      </p>
      {leftOut.length > 0 && <LeftOut items={leftOut} />}
    </details>
  );
}

function LeftOut({ items }: { items: ExplainedNumber['leftOut'] }) {
  return (
    <>
      <p>Left out:</p>
      <ul>
        {items.map((item) => (
          <li key={`${item.source} ${item.marketplace} ${item.externalId}`}>
            {formatOrigin(item.source, item.marketplace)} {formatAmount(item.value, item.currency)}.{' '}
            <span class="quiet">{item.explanation}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Formats the marketplace of a price, with the source if its name differs. */
function formatOrigin(source: string | null, marketplace: string | null): string {
  if (source === null || marketplace === null || source === marketplace) {
    return marketplace ?? source ?? 'unknown source';
  }
  return `${marketplace} (read from ${source})`;
}

function formatAmount(value: number | null, currency: string): string {
  if (value === null || currency === 'USD') return formatMoney(value);
  return `${value.toFixed(2)} ${currency}`;
}

/** The prices that are not served, grouped by reason. */
function MissingList({ items }: { items: ExplainedPrinting['missing'] }) {
  const reasons = Map.groupBy(items, ({ explanation }) => explanation);
  return (
    <>
      <h3>Prices that are not served</h3>
      <ul>
        {[...reasons].map(([explanation, numbers]) => (
          <li key={explanation}>
            {numbers.map(({ name }) => labelPrice(name)).join(', ')}: <bdi>{explanation}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

function QuarantinedList({ items }: { items: ExplanationBody['quarantined'] }) {
  return (
    <>
      <h3>Quarantined</h3>
      <ul>
        {items.map((item) => (
          <li key={`${item.source} ${item.quarantinedAt} ${item.rule} ${item.printing}`}>
            {formatOrigin(item.source, item.marketplace)}, {formatMoment(item.quarantinedAt)}:{' '}
            <bdi>{item.explanation}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
