import type { Millis } from '../../src/domain/day.ts';
import type { NewQuarantineEntry } from '../../src/store/quarantine/entries.ts';
import { moment } from './resolved.ts';

/** Returns an undecided quarantine entry about a price in EUR, except for the given fields. */
export function quarantineEntry(fields: Partial<NewQuarantineEntry> = {}): NewQuarantineEntry {
  const at: Millis = fields.observedAt ?? moment('2026-01-28T20:05:12Z');
  return {
    source: 'scryfall',
    marketplace: 'tcgplayer',
    game: null,
    setRowId: null,
    cardRowId: null,
    printingRowId: null,
    printing: null,
    rule: 'wrong-currency',
    detail: 'A price is in EUR.',
    observation: null,
    delisted: [],
    externalId: null,
    observedAt: at,
    quarantinedAt: at,
    decidedAt: null,
    decision: null,
    ...fields,
  };
}
