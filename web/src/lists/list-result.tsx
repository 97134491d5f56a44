import { useCallback, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AlertButton } from '../alerts/alert-button.tsx';
import { Segmented } from '../ui/controls.tsx';
import { formatCount, formatCounted, formatMoney } from '../ui/format.ts';
import { CopyButton, Fact, Facts } from '../ui/parts.tsx';
import { readPercent } from './amounts.ts';
import {
  conversionNote,
  type ListedCard,
  type ListLine,
  type ListRow,
  type ListTotal,
  listCsv,
  listedCard,
  type ResolvedList,
  type Terms,
  totalOf,
  watchedOf,
} from './list.ts';
import { LineRow } from './list-line.tsx';
import type { ChangeList } from './use-list.ts';

interface ListResultProps {
  readonly resolved: ResolvedList;
  /** The percentage to pay, as typed. */
  readonly percent: string;
  readonly onChange: ChangeList;
  /** Called after calls that use lookups. */
  onLookup(): void;
}

/** The cards of a list with their prices, the totals, and what to pay. */
export function ListResult({ resolved, percent: typed, onChange, onLookup }: ListResultProps) {
  const { lines, rows, game, currency } = resolved;
  const summary = useRef<HTMLParagraphElement>(null);
  // After an edit, or in another currency, the reader stays where they are.
  useLayoutEffect(() => summary.current?.focus(), [lines]);
  const percent = readPercent(typed);
  const terms: Terms = { percent, currency };
  const total = totalOf(rows, terms);
  const note = conversionNote(resolved);
  const [chosenFilter, setFilter] = useState<Filter>({ kind: 'all', lines });
  const filter: Filter = chosenFilter.lines === lines ? chosenFilter : { kind: 'all', lines };
  const shown = rows.filter(({ number }) => filter.numbers?.has(number) ?? true);
  // The same function for all rows and renderings, so only changed rows are rendered again.
  const changeRow = useCallback(
    (changed: ListRow) => onChange((before) => withRow(before, changed)),
    [onChange],
  );
  return (
    <section aria-label="Cards of the list" class="list-result">
      <p ref={summary} tabIndex={-1} role="status" class="count">
        {summaryOf(total, rows.length, terms)}
      </p>
      {note !== undefined && <p class="hint">{note}</p>}
      <Unpriced cards={total.unpriced} />
      <div class="list-terms">
        <Facts>
          <Fact name="Market value">{formatMoney(total.value, currency)}</Fact>
          {percent !== undefined && <Fact name="To pay">{formatMoney(total.pay, currency)}</Fact>}
        </Facts>
        <PercentField
          value={typed}
          onChange={(value) => onChange((before) => ({ ...before, percent: value }))}
        />
      </div>
      <Segmented
        label="Lines to show"
        segments={[
          { value: 'all', label: `All ${formatCount(rows.length)}` },
          { value: 'no card', label: `No card ${formatCount(rows.length - total.lines)}` },
          { value: 'no price', label: `No price ${formatCount(total.unpriced.length)}` },
        ]}
        value={filter.kind}
        onChange={(kind) => setFilter({ kind, numbers: numbersOf(rows, kind), lines })}
      />
      <table class={percent === undefined ? 'list-lines' : 'list-lines bought'}>
        <caption class="sr-only">The lines and their cards</caption>
        <thead>
          <tr>
            <th scope="col">Card</th>
            <th scope="col">Copy</th>
            <th scope="col">Quantity</th>
            <th scope="col" class="number">
              Price
            </th>
            <th scope="col" class="number">
              Total
            </th>
            <th scope="col" class="pay number">
              To pay
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <LineRow
              key={row.number}
              row={row}
              game={game}
              percent={percent}
              currency={currency}
              onRow={changeRow}
              onLookup={onLookup}
            />
          ))}
        </tbody>
      </table>
      <div class="row list-export">
        <CopyButton
          label="Copy as CSV"
          text={() => listCsv(rows, terms)}
          otherwise={() => 'Download the file instead.'}
        />
        <button type="button" onClick={() => download(listCsv(rows, terms))}>
          Download as CSV
        </button>
        <AlertButton watched={watchedOf(rows)} />
      </div>
    </section>
  );
}

/** The shown lines. Lines that are edited in the meantime stay until the next choice. */
interface Filter {
  readonly kind: 'all' | 'no card' | 'no price';
  /** The numbers of the lines; undefined for all. */
  readonly numbers?: ReadonlySet<number> | undefined;
  /** The list that is filtered. */
  readonly lines: readonly ListLine[];
}

function numbersOf(rows: readonly ListRow[], kind: Filter['kind']): Filter['numbers'] {
  if (kind === 'all') return undefined;
  const matching = rows.filter((row) => {
    const card = listedCard(row);
    return kind === 'no card' ? !card : card?.price === null;
  });
  return new Set(matching.map(({ number }) => number));
}

function withRow<Resolved extends { readonly resolved?: ResolvedList | undefined }>(
  list: Resolved,
  changed: ListRow,
): Resolved {
  const { resolved } = list;
  if (!resolved) return list;
  const rows = resolved.rows.map((row) => (row.number === changed.number ? changed : row));
  return { ...list, resolved: { ...resolved, rows } };
}

function summaryOf({ lines, copies, value, unsure }: ListTotal, all: number, { currency }: Terms) {
  const count = `${formatCount(lines)} of ${formatCount(all)} lines name a card`;
  const copied = `${formatCount(copies)} ${copies === 1 ? 'copy' : 'copies'}`;
  const doubt =
    unsure > 0
      ? ` ${formatMoney(unsure, currency)} of this is based on thin or disputed prices.`
      : '';
  return `${count}: ${copied} worth ${formatMoney(value, currency)}.${doubt}`;
}

/** The most cards without a price that are named. */
const MAX_NAMED = 10;

/** Counts and names the cards that the amounts omit. */
function Unpriced({ cards }: { cards: readonly ListedCard[] }) {
  if (cards.length === 0) return null;
  const named = cards
    .slice(0, MAX_NAMED)
    .map(({ name, grade }) => [name, grade].filter(Boolean).join(' '));
  const more = cards.length - named.length;
  return (
    <p class="hint">
      Not in the total, because they have no price: {formatCounted(cards.length, 'line')} (
      <bdi>{named.join(', ')}</bdi>
      {more > 0 && ` and ${formatCount(more)} more`}).
    </p>
  );
}

interface PercentFieldProps {
  readonly value: string;
  onChange(value: string): void;
}

/** The percentage of the market value that a buyer pays. */
function PercentField({ value, onChange }: PercentFieldProps) {
  const id = useId();
  const isInvalid = value.trim() !== '' && readPercent(value) === undefined;
  return (
    <div class="field">
      <label for={id}>Percent to pay</label>
      <p class="hint" id={`${id}-hint`}>
        {isInvalid
          ? 'Enter a number such as 60 or 62.5.'
          : 'The share of the market value that you pay, such as 60.'}
      </p>
      <input
        id={id}
        aria-describedby={`${id}-hint`}
        aria-invalid={isInvalid}
        inputMode="decimal"
        autocomplete="off"
        maxLength={8}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

function download(csv: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  link.download = 'cards.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
