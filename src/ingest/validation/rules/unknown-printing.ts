import { findSource } from '../../../domain/sources.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import type { BatchFinding } from '../limits.ts';

/**
 * Catches prices for a printing that the card does not have: according to the source's own list of
 * printings or, without one, the catalogue. A catalogue source may add printings. For a newly
 * released set of Magic, Scryfall had the prices of eight foils before it listed foil as a finish.
 */
export function unknownPrinting(resolved: ResolvedObservation): Finding | undefined {
  const { source, cardName, printing, knownPrintings, statedPrintings } = resolved;
  const own = statedPrintings ?? (givesCatalogue(source) ? [] : knownPrintings);
  const isKnown = statedPrintings !== null || own.length > 0;
  if (!isKnown || own.includes(printing)) return undefined;
  const whose = statedPrintings ? `according to ${source} itself` : 'in the catalogue';
  const has = own.length > 0 ? `only ${own.join(', ')}` : 'no printing at all';
  const detail = `${source} has a price for ${cardName} (${printing}), which has ${has} ${whose}.`;
  return { rule: 'unknown-printing', detail };
}

/** Whether a source provides the catalogue, so every printing that it lists exists. */
export function givesCatalogue(source: string): boolean {
  return findSource(source)?.gives.includes('catalogue') ?? false;
}

/** A printing is common in a set if at least this share of its cards has it. */
const USUAL_SHARE = 0.25;

/**
 * Catches a printing that a catalogue source adds to a card it has already listed, if hardly any
 * other card of the set has such a printing and no other source prices it: a `1st Edition` of last
 * year's card. All eight printings that TCGCSV's archive adds to cards of Magic in nine days are
 * common ones.
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
