import type { MoverBody } from '../api/responses.ts';
import { CardLink, NumberCell, PrintingCell, SetCell } from '../cards/card-list.tsx';
import { areAllOld, Change } from '../cards/parts.tsx';
import { CardPicture } from '../cards/picture.tsx';
import { RowActions } from '../cards/row-actions.tsx';
import { formatMoney } from '../ui/format.ts';

interface Props {
  readonly movers: readonly MoverBody[];
  /** The name of the list, for screen readers. */
  readonly label: string;
  /** Whether the movers may be from several sets. */
  readonly hasSet?: boolean;
}

/** Printings whose price has changed, as rows. Each row is one link. */
export function MoverList({ movers, label, hasSet = true }: Props) {
  const isOld = areAllOld(movers);
  return (
    <div class="card-list as-rows movers">
      <ul aria-label={label}>
        {movers.map((mover) => (
          <li key={`${mover.id} ${mover.printing}`}>
            <MoverRow mover={mover} hasSet={hasSet} isOldSaid={isOld} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The number of days on which the price was observed: a move over few days means little. */
function Observed({ prices: { confidence } }: Pick<MoverBody, 'prices'>) {
  if (!confidence) return null;
  const { observations } = confidence;
  return <span class="observed quiet">seen on {observations} of 30 days</span>;
}

interface RowProps extends Required<Pick<Props, 'hasSet'>> {
  readonly mover: MoverBody;
  /** Whether the page already says that the prices are old. */
  readonly isOldSaid: boolean;
}

function MoverRow({ mover, hasSet, isOldSaid }: RowProps) {
  const { number, printing, prices, from, to } = mover;
  const { currency } = prices;
  return (
    <>
      <CardPicture card={mover} size="thumb" mark={hasSet ? 'code' : 'number'} />
      <CardLink card={mover} />
      <span class="card-facts">
        {hasSet && <SetCell set={mover.set} />}
        <NumberCell number={number} />
        <PrintingCell printing={printing} />
      </span>
      <span class="market">
        {prices.stale && !isOldSaid && <span class="old">old </span>}
        <span class="old">{formatMoney(from, currency)} →</span> {formatMoney(to, currency)}
      </span>
      <span class="change-7d">
        <Change change={mover} currency={currency} />
        <Observed prices={prices} />
      </span>
      <RowActions card={mover} />
    </>
  );
}
