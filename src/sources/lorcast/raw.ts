import { type Static, Type } from 'typebox';
import { Amount, Label, Maybe, shape } from '../kit/schema.ts';

/**
 * Cards of the Lorcast API (`/v0/sets/{id}/cards`, `/v0/cards/search`). Only the fields that are
 * used are checked; any key may be missing where there is nothing to say.
 */

const RawCard = Type.Object({
  id: Type.String({ pattern: '^crd_' }),
  name: Label,
  /** What tells characters of one name apart; songs, items and places have none. */
  version: Maybe(Type.String({ maxLength: 500 })),
  lang: Maybe(Type.String({ maxLength: 20 })),
  collector_number: Label,
  /** With underscores: `Super_rare`. */
  rarity: Maybe(Type.String({ maxLength: 100 })),
  tcgplayer_id: Maybe(Type.Integer({ minimum: 1 })),
  image_uris: Maybe(
    Type.Object({
      digital: Maybe(Type.Object({ large: Maybe(Type.String({ maxLength: 2000 })) })),
    }),
  ),
  set: Type.Object({ code: Label, name: Label, released_at: Maybe(Type.String()) }),
  /** US dollars. */
  prices: Maybe(Type.Object({ usd: Maybe(Amount), usd_foil: Maybe(Amount) })),
});

export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for what is no card of Lorcast. */
export const parseCard = shape(RawCard);
