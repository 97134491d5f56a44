import type { BulkTable } from '../engine/engine.ts';
import type {
  CardExternalIdRow,
  CardRow,
  PrintingRow,
  SetExternalIdRow,
  SetRow,
} from './schema.ts';

/** The tables of sets, cards, printings and their external ids, with the types of their columns. */

export const SETS: BulkTable<SetRow> = {
  name: 'sets',
  columns: {
    id: 'int4',
    public_set_id: 'text',
    game: 'text',
    code: 'text',
    name: 'text',
    release_date: 'text',
    revision: 'int4',
  },
  key: ['id'],
};

export const SET_EXTERNAL_IDS: BulkTable<SetExternalIdRow> = {
  name: 'set_external_ids',
  columns: { id_space: 'text', external_id: 'text', set_id: 'int4' },
  key: ['id_space', 'external_id'],
};

export const CARDS: BulkTable<CardRow> = {
  name: 'cards',
  columns: {
    id: 'int4',
    public_id: 'text',
    set_id: 'int4',
    name: 'text',
    number: 'text',
    rarity: 'text',
    image: 'text',
    revision: 'int4',
  },
  key: ['id'],
};

export const CARD_EXTERNAL_IDS: BulkTable<CardExternalIdRow> = {
  name: 'card_external_ids',
  columns: { id_space: 'text', external_id: 'text', card_id: 'int4', revision: 'int4' },
  key: ['id_space', 'external_id'],
};

export const PRINTINGS: BulkTable<PrintingRow> = {
  name: 'printings',
  columns: {
    id: 'int4',
    card_id: 'int4',
    name: 'text',
    market: 'int4',
    low: 'int4',
    mid: 'int4',
    high: 'int4',
    conditions: 'text',
    graded: 'text',
    sources: 'text',
    figures_at: 'int8',
    conditions_at: 'int8',
    graded_at: 'int8',
    marketplace: 'text',
    base_1d: 'int4',
    base_7d: 'int4',
    base_30d: 'int4',
    change_doubts: 'text',
    revision: 'int4',
  },
  key: ['id'],
};
