import { findSource } from '../../domain/sources.ts';
import type { Finding, ResolvedObservation } from './candidate.ts';

/** A price for a printing that the card does not have, by its own source or by the catalogue. */
export function unknownPrinting(candidate: ResolvedObservation): Finding | undefined {
  const { source, cardName, printing, knownPrintings, statedPrintings } = candidate;
  const own = statedPrintings ?? (givesCatalogue(source) ? [] : knownPrintings);
  const isTold = statedPrintings !== null || own.length > 0;
  if (!isTold || own.includes(printing)) return undefined;
  const whose = statedPrintings ? `by ${source} itself` : 'as far as is known';
  const has = own.length > 0 ? `only ${own.join(', ')}` : 'no printing at all';
  const detail = `${source} has a price for ${cardName} (${printing}), which has ${has} ${whose}.`;
  return { reason: 'unknown-printing', detail };
}

/** Whether a printing that a source lists is one for that very reason. */
export function givesCatalogue(source: string): boolean {
  return findSource(source)?.gives.includes('catalogue') ?? false;
}
