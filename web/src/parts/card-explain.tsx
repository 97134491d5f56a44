import { useData } from '../data.ts';
import { formatMoment, formatMoney } from '../format.ts';
import type { Explained } from './card-bodies.ts';
import { Disclosure } from './card-disclosure.tsx';
import { numberLabel } from './card-labels.ts';
import { Money } from './card-money.tsx';
import { explainCall, own } from './card-paths.ts';
import { useFeature } from './card-plan.ts';
import { Waiting } from './waiting.tsx';

interface Props {
  readonly id: string;
  /** The printing whose numbers are explained; null for a card without any. */
  readonly printing: string | null;
}

/** Where the numbers of a card come from, asked for when the reader wants to know. */
export function Explanation({ id, printing }: Props) {
  const { isIncluded } = useFeature('explain');
  if (!isIncluded) return null;
  return (
    <Disclosure
      summary="Where these numbers come from"
      render={() => <Sources id={id} printing={printing} />}
    />
  );
}

function Sources({ id, printing }: Props) {
  const { body, error } = useData<{ data: Explained }>(own(explainCall(id)));
  if (!body) return <Waiting error={error} />;
  const { printings, quarantined } = body.data;
  const numbers = printings.find(({ name }) => name === printing)?.numbers ?? [];
  const held = quarantined.filter((item) => item.printing === null || item.printing === printing);
  return (
    <>
      {numbers.length > 0 ? <Numbers numbers={numbers} /> : <p>No source tells a number.</p>}
      {held.length > 0 && <HeldBack held={held} />}
    </>
  );
}

type ExplainedNumber = Explained['printings'][number]['numbers'][number];

function Numbers({ numbers }: { numbers: readonly ExplainedNumber[] }) {
  return (
    <table class="cards explained">
      <caption class="unseen">Where each number comes from</caption>
      <thead>
        <tr>
          <th scope="col">Number</th>
          <th scope="col" class="number">
            Served
          </th>
          <th scope="col">Source</th>
          <th scope="col">Why</th>
          <th scope="col">Left out</th>
        </tr>
      </thead>
      <tbody>
        {numbers.map((number) => (
          <NumberRow key={number.name} number={number} />
        ))}
      </tbody>
    </table>
  );
}

function NumberRow({ number }: { number: ExplainedNumber }) {
  const { name, value, marketplace, source, observedAt, explanation, leftOut } = number;
  return (
    <tr>
      <th scope="row">{numberLabel(name)}</th>
      <td class="number">
        <Money amount={value} />
      </td>
      <td data-label="Source">
        {originText(source, marketplace)}
        {observedAt && <span class="quiet under">{formatMoment(observedAt)}</span>}
      </td>
      <td data-label="Why">{explanation}</td>
      <td data-label="Left out">
        {leftOut.length === 0 && <span class="quiet">nothing</span>}
        <ul class="plain">
          {leftOut.map((item) => (
            <li key={`${item.source} ${item.marketplace} ${item.externalId}`}>
              {originText(item.source, item.marketplace)} {amountText(item.value, item.currency)}.{' '}
              <span class="quiet">{item.explanation}</span>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

/** Whose price it is, and where it was read unless that is the same. */
function originText(source: string | null, marketplace: string | null): string {
  if (source === null || marketplace === null || source === marketplace)
    return marketplace ?? source ?? 'nobody';
  return `${marketplace} (read from ${source})`;
}

function amountText(value: number | null, currency: string): string {
  if (value === null || currency === 'USD') return formatMoney(value);
  return `${value.toFixed(2)} ${currency}`;
}

function HeldBack({ held }: { held: Explained['quarantined'] }) {
  return (
    <>
      <h3>Held back</h3>
      <ul>
        {held.map((item) => (
          <li key={`${item.source} ${item.quarantinedAt} ${item.rule} ${item.printing}`}>
            {originText(item.source, item.marketplace)}, {formatMoment(item.quarantinedAt)}:{' '}
            <bdi>{item.explanation}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
