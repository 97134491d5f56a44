import { type Static, Type } from 'typebox';
import { Amount, compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * Cards of the Lorcast API (`/v0/sets/{id}/cards`, `/v0/cards/search`). Only the fields in use are
 * validated; fields without a value may be missing.
 */

const RawCard = Type.Object({
  id: Type.String({ pattern: '^crd_' }),
  name: Label,
  /** Distinguishes characters of one name; songs, items and places have none. */
  version: Nullish(Type.String({ maxLength: 500 })),
  lang: Nullish(Type.String({ maxLength: 20 })),
  collector_number: Label,
  /** With underscores: `Super_rare`. */
  rarity: Nullish(Type.String({ maxLength: 100 })),
  tcgplayer_id: Nullish(Type.Integer({ minimum: 1 })),
  image_uris: Nullish(
    Type.Object({
      digital: Nullish(Type.Object({ large: Nullish(Type.String({ maxLength: 2000 })) })),
    }),
  ),
  set: Type.Object({ code: Label, name: Label, released_at: Nullish(Type.String()) }),
  /** US dollars. */
  prices: Nullish(Type.Object({ usd: Nullish(Amount), usd_foil: Nullish(Amount) })),
});

export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of Lorcast. */
export const parseCard = compileParser(RawCard);
