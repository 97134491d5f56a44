import { cardHref, productHref } from '../api/links.ts';
import type { ProductBody } from '../api/responses.ts';
import { CardName } from '../cards/parts.tsx';
import { formatCount } from '../ui/format.ts';

type Contents = NonNullable<ProductBody['contents']>;
type Item = Contents['items'][number];

/** The contents of a product; nothing if unknown. */
export function ProductContents({ contents }: Pick<ProductBody, 'contents'>) {
  if (contents === null) return null;
  const { items, choices } = contents;
  return (
    <section aria-labelledby="contents">
      <h2 id="contents">Contents</h2>
      <Items items={items} />
      {choices.map((options, index) => (
        <details key={index}>
          <summary>One of {formatCount(options.length)}</summary>
          <ul>
            {options.map((option, place) => (
              <li key={place}>
                <Items items={option} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  return (
    <ul>
      {items.map((item, index) => (
        <li key={index}>
          {item.count > 1 && `${formatCount(item.count)} × `}
          <ItemName item={item} />
        </li>
      ))}
    </ul>
  );
}

function ItemName({ item: { kind, name, setCode, number, foil, id } }: { item: Item }) {
  if (kind === 'pack') {
    return (
      <>
        Booster, <bdi>{[name, setCode].filter(Boolean).join(' ')}</bdi>
      </>
    );
  }
  const href = id && (kind === 'card' ? cardHref(id) : productHref(id));
  const details = [number && `#${number}`, foil && 'foil'].filter(Boolean).join(', ');
  return (
    <>
      {href ? (
        <a href={href}>
          <CardName name={name} />
        </a>
      ) : (
        <CardName name={name} />
      )}
      {details && <span class="quiet"> {details}</span>}
    </>
  );
}
