import { findSource } from '../../../domain/sources.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';

/**
 * Catches prices for a printing that the card does not have: by the source's own list of printings,
 * else by the catalogue. A source that gives the catalogue may bring new printings. When a set of
 * Magic was just out, Scryfall had the prices of eight foils before it listed foil as a finish.
 */
export function unknownPrinting(resolved: ResolvedObservation): Finding | undefined {
  const { source, cardName, printing, knownPrintings, statedPrintings } = resolved;
  const own = statedPrintings ?? (givesCatalogue(source) ? [] : knownPrintings);
  const isKnown = statedPrintings !== null || own.length > 0;
  if (!isKnown || own.includes(printing)) return undefined;
  const whose = statedPrintings ? `by ${source} itself` : 'as far as is known';
  const has = own.length > 0 ? `only ${own.join(', ')}` : 'no printing at all';
  const detail = `${source} has a price for ${cardName} (${printing}), which has ${has} ${whose}.`;
  return { rule: 'unknown-printing', detail };
}

/** Whether a source gives the catalogue, so that each printing that it lists exists. */
export function givesCatalogue(source: string): boolean {
  return findSource(source)?.gives.includes('catalogue') ?? false;
}
