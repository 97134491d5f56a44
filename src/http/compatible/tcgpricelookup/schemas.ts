import { type TSchema, Type } from 'typebox';

/** The parts of the hosted service's answers. */

export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** A page of a list. */
export function PageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  });
}
