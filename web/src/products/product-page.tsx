import '../cards/cards.css';
import '../cards/card-page.css';
import { useLocation, useRoute } from 'preact-iso';
import { useLocalCall } from '../api/currency.ts';
import { picturePath, productApiPath, productHref, setHref, setsHref } from '../api/links.ts';
import type { ProductBody } from '../api/responses.ts';
import { useGameNames, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { CardPrice, PriceNotes, PriceTables } from '../cards/card-prices.tsx';
import { parsePeriod, periodsWithin } from '../cards/history/days.ts';
import type { PriceEvent } from '../cards/history/events.ts';
import { PriceHistory } from '../cards/history/price-history.tsx';
import { CardName } from '../cards/parts.tsx';
import { CardPicture } from '../cards/picture.tsx';
import { formatMoney, languageOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/status.tsx';
import { TryIt } from '../ui/try-it.tsx';
import { ProductContents } from './contents.tsx';
import { picturedProduct, typeLabel } from './product-list.tsx';

/** A sealed product: its price and the history of the price. */
export function ProductPage() {
  const { id = '' } = useRoute().params;
  return <ProductById key={id} id={id} />;
}

function ProductById({ id }: { id: string }) {
  const { body, error } = useData<{ data: ProductBody }>(useLocalCall(productApiPath(id)));
  const isUnknown = error?.status === 404;
  const title = isUnknown ? 'Product not found' : (body?.data.name ?? 'Product');
  return (
    <Page
      title={title}
      lang={languageOf(title)}
      isNotFound={isUnknown}
      {...(body && productHead(body.data))}
    >
      {isUnknown && (
        <p>
          There is no product at this address. It may be mistyped. <a href="/sets">See all sets</a>
        </p>
      )}
      {!isUnknown && (body ? <Product product={body.data} /> : <Loading error={error} />)}
    </Page>
  );
}

function Product({ product }: { product: ProductBody }) {
  const { id } = product;
  const { query } = useRoute();
  const { route } = useLocation();
  const periods = periodsWithin(useSession().historyDays);
  return (
    <>
      <ProductFacts product={product} />
      <div class="card">
        <div class="pictured">
          <CardPicture card={picturedProduct(product)} size="large" />
        </div>
        <CardPrice printing={product} name={null} />
        <div class="card-past">
          <PriceTables printing={product} title="Sealed" />
          <PriceNotes printing={product} isRaw />
          <PriceHistory
            apiPath={productApiPath(id)}
            printing={undefined}
            period={parsePeriod(query.period, periods)}
            periods={periods}
            onPeriod={(period) => route(productHref(id, { period }), true)}
            events={NO_EVENTS}
            comparisons={[]}
          />
        </div>
      </div>
      <ProductContents contents={product.contents} />
      <TryIt path={productApiPath(id)} />
    </>
  );
}

/** Explanations exist only for cards, so products have no known events. */
const NO_EVENTS: readonly PriceEvent[] = [];

function ProductFacts({ product }: { product: ProductBody }) {
  const gameName = useGameNames();
  const { game, set, setId, setCode, type, upc } = product;
  return (
    <ul class="card-line">
      <li>
        <a href={setHref(game, setId)}>
          <CardName name={set} />
        </a>{' '}
        <bdi class="quiet">{setCode}</bdi>
      </li>
      <li>{typeLabel(type)}</li>
      {upc !== null && (
        <li>
          UPC <bdi>{upc}</bdi>
        </li>
      )}
      <li>
        <a href={setsHref(game)}>{gameName(game)}</a>
      </li>
    </ul>
  );
}

/** Returns the head of the page of a product, for search engines and link previews. */
export function productHead({ id, name, set, type, image, prices }: ProductBody) {
  const price = prices.market === null ? [] : [formatMoney(prices.market, prices.currency)];
  return {
    windowTitle: [name, ...price].join(' · '),
    description:
      `${name} (${typeLabel(type)}, ${set}): ${price[0] ?? 'no price yet'}. ` +
      'A sealed product with its price history.',
    image: image === null ? null : picturePath(id),
  };
}
