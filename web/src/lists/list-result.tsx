import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Currency } from '../../../src/domain/currencies.ts';
import { cardHref } from '../api/links.ts';
import type { CandidateBody } from '../api/responses.ts';
import { formatCount, formatMoney } from '../ui/format.ts';
import { Disclosure, Money } from '../ui/parts.tsx';
import { type Column, Table } from '../ui/table.tsx';
import {
  conversionNote,
  type ListedCard,
  type ListRow,
  listCsv,
  listedCard,
  type ResolvedList,
  totalOf,
} from './list.ts';

interface ListResultProps {
  readonly resolved: ResolvedList;
  onRows(rows: readonly ListRow[]): void;
}

/** The cards of a list and their total price. */
export function ListResult({ resolved, onRows }: ListResultProps) {
  const { lines, rows, currency } = resolved;
  const summary = useRef<HTMLParagraphElement>(null);
  // After a choice, or in another currency, the reader stays where they are.
  useLayoutEffect(() => summary.current?.focus(), [lines]);
  const note = conversionNote(resolved);
  const replace = (changed: ListRow) => {
    onRows(rows.map((row) => (row.number === changed.number ? changed : row)));
  };
  return (
    <section aria-label="Cards of the list">
      <p ref={summary} tabIndex={-1} role="status" class="count">
        {summaryOf(resolved)}
      </p>
      {note !== undefined && <p class="hint">{note}</p>}
      <button type="button" onClick={() => download(listCsv(rows, currency))}>
        Download as CSV
      </button>
      <Table
        caption="The lines and their cards"
        look="stack list"
        columns={[
          { label: 'Line', kind: 'long', cell: ({ text }) => <bdi class="clamped">{text}</bdi> },
          { label: 'Status', cell: ({ answer, chosen }) => (chosen ? 'chosen' : answer.status) },
          {
            label: 'Card',
            kind: 'long',
            isBare: true,
            cell: (row) => <FoundCard row={row} onRow={replace} />,
          },
          ...amountsIn(currency),
        ]}
        rows={rows}
        keyOf={({ number }) => number}
      />
    </section>
  );
}

function summaryOf({ rows, currency }: ResolvedList): string {
  const { lines, copies, unpriced, value, unsure } = totalOf(rows);
  const count = `${formatCount(lines)} of ${formatCount(rows.length)} lines are cards`;
  const priced = unpriced > 0 ? `, ${formatCount(unpriced)} of them without a price` : '';
  const copied = `${formatCount(copies)} ${copies === 1 ? 'copy' : 'copies'}`;
  const doubt =
    unsure > 0 ? ` ${formatMoney(unsure, currency)} of it are thin or disputed prices.` : '';
  return `${count}: ${copied} worth ${formatMoney(value, currency)}${priced}.${doubt}`;
}

/** The quantity and the price of a line, if its card is known. */
const amountsIn = (currency: Currency): readonly Column<ListRow>[] => [
  {
    label: 'Quantity',
    kind: 'number',
    cell: (row) => {
      const card = listedCard(row);
      return card && formatCount(card.quantity);
    },
  },
  {
    label: 'Price',
    kind: 'number',
    cell: (row) => {
      const card = listedCard(row);
      return card && <Money amount={card.price} currency={currency} />;
    },
  },
];

function FoundCard({ row, onRow }: CandidatesProps) {
  const card = listedCard(row);
  return (
    <>
      {card ? <CardLink card={card} /> : <p class="hint">{row.answer.reasons.join(' ')}</p>}
      {card?.language && card.price === null && <p class="hint">{row.answer.reasons.at(-1)}</p>}
      <Candidates row={row} onRow={onRow} />
    </>
  );
}

function CardLink({ card }: { card: ListedCard }) {
  const { id, name, setCode, number, printing, language, condition, grade, noPrice } = card;
  const copy = grade ?? condition?.replaceAll('_', ' ');
  const parts = [setCode, number, printing, language?.toUpperCase(), copy];
  return (
    <>
      <a href={cardHref(id, { printing: printing ?? undefined })}>
        <bdi>{name}</bdi>
      </a>
      <bdi class="quiet under">{parts.filter(Boolean).join(' · ')}</bdi>
      {copy && noPrice && <span class="quiet under">{noPrice}</span>}
    </>
  );
}

function download(csv: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  link.download = 'cards.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

interface CandidatesProps {
  readonly row: ListRow;
  onRow(row: ListRow): void;
}

/** The possible cards of a line, one of which the reader can choose. */
function Candidates({ row, onRow }: CandidatesProps) {
  const { text, answer, chosen } = row;
  const { candidates = [] } = answer;
  const group = useId();
  if (candidates.length === 0) return null;
  return (
    <Disclosure
      summary={candidates.length === 1 ? '1 candidate' : `${candidates.length} candidates`}
      render={() => (
        <fieldset class="candidates">
          <legend class="sr-only">Which card is “{text}”?</legend>
          {candidates.map((candidate) => (
            <Candidate
              key={candidate.id}
              group={group}
              candidate={candidate}
              isChosen={chosen?.id === candidate.id}
              onChoose={() => onRow({ ...row, chosen: candidate })}
            />
          ))}
          <label class="check">
            <input
              type="radio"
              name={group}
              checked={chosen === undefined}
              onChange={() => onRow({ ...row, chosen: undefined })}
            />
            None of these
          </label>
        </fieldset>
      )}
    />
  );
}

interface CandidateProps {
  /** The name of the group of radio buttons. */
  readonly group: string;
  readonly candidate: CandidateBody;
  readonly isChosen: boolean;
  onChoose(): void;
}

function Candidate({ group, candidate, isChosen, onChoose }: CandidateProps) {
  const { name, setCode, number, prices, price = prices.market, reasons } = candidate;
  return (
    <label class="check">
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      <span>
        <bdi>{[name, setCode, number].filter(Boolean).join(' · ')}</bdi>{' '}
        <Money amount={price} currency={prices.currency} />
        <span class="quiet under">{reasons.join(' ')}</span>
      </span>
    </label>
  );
}
