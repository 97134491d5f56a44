import type { Catalog } from '../../catalog/catalog.ts';
import type { ContentItem, Product } from '../../domain/products.ts';

/** The contents of a product, with the ids of cards and products in the catalogue. */
export function contentsView(catalog: Catalog, { contents }: Product) {
  if (!contents) return { contents: null };
  const all = (items: readonly ContentItem[]) => items.map((item) => itemView(catalog, item));
  const choices = contents.choices.map((options) => options.map(all));
  return { contents: { items: all(contents.items), choices } };
}

function itemView(catalog: Catalog, { kind, count, name, setCode, ...of }: ContentItem) {
  const { number, isFoil } = of;
  return {
    kind,
    count,
    name,
    setCode: setCode ?? null,
    ...(kind === 'card' && { number: number ?? null, foil: isFoil ?? false }),
    id: idOf(catalog, kind, of.tcgplayerId) ?? null,
  };
}

/** The id of a card or a product; undefined for anything else, or if it is not in the catalogue. */
function idOf(catalog: Catalog, kind: ContentItem['kind'], tcgplayerId: string | undefined) {
  if (tcgplayerId === undefined) return undefined;
  const externalId = { space: 'tcgplayer', id: tcgplayerId };
  if (kind === 'card') return catalog.cardByExternalId(externalId)?.id;
  return catalog.products.productByExternalId(externalId)?.id;
}
