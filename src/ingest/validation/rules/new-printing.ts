import type { ResolvedObservation } from '../../observation.ts';
import type { BatchFinding } from '../finding.ts';
import { givesCatalogue } from './unknown-printing.ts';

/** A printing is usual in a set when at least this share of its cards has it. */
const USUAL_SHARE = 0.25;

/**
 * Catches a printing that a source of the catalogue adds to a card which it has listed before, if
 * hardly any other card of the set has such a printing and no other source has a price of it: a
 * `1st Edition` of a card of last year. Of eight printings that TCGCSV's archive adds to cards of
 * Magic in nine days all are usual ones.
 */
export function* newPrinting(batch: readonly ResolvedObservation[]): Generator<BatchFinding> {
  const added = batch.filter(isAdded);
  if (added.length === 0) return;
  for (const resolved of added) {
    const ofSet = batch.filter(({ set, source }) => {
      return set.rowId === resolved.set.rowId && source === resolved.source;
    });
    const cards = new Map(ofSet.map((one) => [one.card, one.reportedPrintings]));
    const having = [...cards.values()].filter((names) => names.includes(resolved.printing)).length;
    if (having >= cards.size * USUAL_SHARE) continue;
    const { source, cardName, printing, reportedPrintings } = resolved;
    const had = `which had only ${reportedPrintings.join(', ')}`;
    const share = `${having} of ${cards.size} cards of ${resolved.set.name} have it`;
    const detail = `${source} adds ${printing} to ${cardName}, ${had}; ${share}.`;
    yield [resolved, { rule: 'unknown-printing', detail }];
  }
}

function isAdded(resolved: ResolvedObservation): boolean {
  const { source, printing, knownPrintings, reportedPrintings, others } = resolved;
  const isOld = reportedPrintings.length > 0 && !knownPrintings.includes(printing);
  return isOld && givesCatalogue(source) && others.length === 0;
}
