import './cards.css';
import './card-page.css';
import { useMemo } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { CopyName } from '../../../src/domain/copy.ts';
import type { Period } from '../../../src/domain/day.ts';
import type { Watched } from '../alerts/watched.ts';
import { useLocalCall, useLocalPath } from '../api/currency.ts';
import {
  type CardView,
  cardApiPath,
  cardHref,
  dashboardPath,
  explainApiPath,
  historyApiPath,
  picturePath,
  relatedApiPath,
  setHref,
  setsHref,
} from '../api/links.ts';
import type { CardBody, ExplanationBody, PrintingBody, RelatedBody } from '../api/responses.ts';
import { useFeature, useGameNames, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { Segmented } from '../ui/controls.tsx';
import { formatMoney, languageOf } from '../ui/format.ts';
import { late, unscripted } from '../ui/late.tsx';
import { Page } from '../ui/page.tsx';
import { Disclosure, Money } from '../ui/parts.tsx';
import { Loading } from '../ui/status.tsx';
import { TryIt } from '../ui/try-it.tsx';
import { CardActions } from './card-actions.tsx';
import { CardPrice, PriceNotes, PriceTables } from './card-prices.tsx';
import { parsePeriod, periodsWithin } from './history/days.ts';
import { findDispute, findQuarantined } from './history/events.ts';
import { listComparisons } from './history/lines.ts';
import { PriceHistory } from './history/price-history.tsx';
import { CardName } from './parts.tsx';
import { CardPicture } from './picture.tsx';
import { isCopy, labelOf, type PriceName, readPriceName, viewOfPrice } from './price-names.ts';
import { findPrice, findRawPrice, groupPrices, type PriceGroup } from './price-rows.ts';
import { MoreOfSet, Neighbours, OtherCards } from './related-cards.tsx';
import { setClass } from './set-colors.ts';

/** A card: its price, the history of the price, and its origin. */
export function CardPage() {
  const { id = '' } = useRoute().params;
  return <CardById key={id} id={id} />;
}

function CardById({ id }: { id: string }) {
  const { query } = useRoute();
  const { body, error } = useData<{ data: CardBody }>(useLocalCall(cardApiPath(id)));
  const isUnknown = error?.status === 404;
  const title = isUnknown ? 'Card not found' : (body?.data.name ?? 'Card');
  return (
    <Page
      title={title}
      lang={languageOf(title)}
      isNotFound={isUnknown}
      {...(body && cardHead(body.data, readView(body.data, query)))}
    >
      {isUnknown && (
        <p>
          There is no card at this address. It may be mistyped. <a href="/">Search cards</a>
        </p>
      )}
      {!isUnknown && (body ? <Card card={body.data} /> : <Loading error={error} />)}
    </Page>
  );
}

/** The page of a card, as its address requests it. */
interface AskedView {
  /** The printing whose prices are shown; undefined for the default one. */
  readonly selected: PrintingBody | undefined;
  /** The requested printing, if the card does not have it. */
  readonly unknownPrinting: string | undefined;
  /** The requested price; undefined for the price of a raw copy. */
  readonly asked: PriceName | undefined;
}

function readView({ printings }: CardBody, query: CardView): AskedView {
  const wanted = query.printing?.toLowerCase();
  const selected = printings.find(({ name }) => name.toLowerCase() === wanted);
  return {
    selected,
    unknownPrinting: selected ? undefined : query.printing,
    asked: readPriceName(query),
  };
}

/** Returns the view of a card from the address, and a function that changes it. */
function useCardView(card: CardBody) {
  const { query } = useRoute();
  const { route } = useLocation();
  const { historyDays } = useSession();
  const periods = periodsWithin(historyDays);
  const view = readView(card, query);
  const asked = { printing: view.selected?.name, ...viewOfPrice(view.asked) };
  const address = { ...asked, printing: query.printing, period: query.period };
  return {
    ...view,
    /** The view without a printing that the card does not have. */
    known: asked,
    periods,
    period: parsePeriod(query.period, periods),
    /** Changes the view. Going back leaves the page of the card. */
    change: (change: CardView) => route(cardHref(card.id, { ...address, ...change }), true),
  };
}

/**
 * The number of other cards with the name listed at first. Each counts toward the priced cards that
 * a reader may see per day.
 */
const FIRST_OTHERS = 6;

const CardIds = late('The ids', async () => (await import('./card-ids.tsx')).CardIds);

const CardFacts = unscripted(
  'The details',
  async () => (await import('./card-facts.tsx')).CardFacts,
);

/** The origin of the prices, which few readers open. */
const Explanation = late(
  'The explanation',
  async () => (await import('./explanation.tsx')).Explanation,
);

function Card({ card }: { card: CardBody }) {
  const { id, printings } = card;
  const { account } = useSession();
  const { periods, period, selected, unknownPrinting, asked, known, change } = useCardView(card);
  const { body: related } = useData<{ data: RelatedBody }>(
    useLocalCall(relatedApiPath(id, FIRST_OTHERS)),
  );
  const shown = selected?.name ?? card.printing;
  const printing = selected ?? card;
  const groups = groupPrices(printing);
  const found = asked === undefined ? findRawPrice(groups) : findPrice(groups, asked);
  const name = found?.row.name;
  const copy = name !== undefined && isCopy(name) ? name : undefined;
  const explanation = useExplanation(id);
  const events = useEvents(explanation, printing, { shown, copy });
  return (
    <>
      <CardLine card={card} />
      <Neighbours related={related?.data} />
      <div class={`card ${setClass(card.game, card.setCode)}`}>
        <div class="pictured">
          <CardPicture card={card} size="large" />
        </div>
        <CardPrice
          printing={printing}
          name={shown}
          asked={asked}
          unknownPrinting={unknownPrinting}
        />
        <div class="card-past">
          <PrintingSwitch
            printings={printings}
            shown={unknownPrinting === undefined ? shown : null}
            price={asked ?? name}
            onChange={(other) => change({ printing: other })}
          />
          <PriceTables
            printing={printing}
            shown={unknownPrinting === undefined ? name : undefined}
            onChoose={(other) => change({ printing: selected?.name, ...viewOfPrice(other) })}
          />
          <PriceNotes printing={printing} isRaw={copy === undefined} />
          <PriceHistory
            apiPath={cardApiPath(id)}
            printing={selected?.name}
            copy={copy}
            period={period}
            periods={periods}
            onPeriod={(other) => change({ period: other })}
            events={events}
            comparisons={listComparisons(
              card,
              shown,
              comparablePrices(groups, copy),
              printing.prices.currency,
            )}
          />
        </div>
        <div class="card-actions">
          <CardActions card={card} view={known} watched={watchedOf(card, printing, shown, copy)} />
        </div>
      </div>
      {card.facts && <CardFacts game={card.game} facts={card.facts} />}
      {related && (
        <>
          <OtherCards card={card} related={related.data} />
          <MoreOfSet card={card} related={related.data} />
        </>
      )}
      <div class="panel folds">
        <Disclosure
          summary="Where these prices come from"
          render={() => (
            <Explanation printing={shown} sources={printing.sources} explanation={explanation} />
          )}
        />
        {account && (
          <>
            <Disclosure summary="Ids of this card" render={() => <CardIds card={card} />} />
            <ApiCalls id={id} printing={selected?.name} period={period} copy={copy} />
          </>
        )}
      </div>
    </>
  );
}

/** Returns the subject of an alert that the reader creates from this page. */
function watchedOf(
  { id, name }: CardBody,
  printing: CardBody | PrintingBody,
  shown: string | null,
  copy: CopyName | undefined,
): Watched {
  const label = [name, shown, copy && labelOf(copy)].filter(Boolean).join(', ');
  const found = findPrice(groupPrices(printing), copy ?? 'market')?.row.amount;
  const { grade, condition } = viewOfPrice(copy);
  return {
    label,
    target: { card: id, printing: shown ?? undefined, grade, condition },
    price: (printing.prices.currency ?? 'USD') === 'USD' ? found : undefined,
  };
}

/** Fetches the origin of a card's prices, if the account's plan includes that. */
function useExplanation(id: string) {
  const { isIncluded } = useFeature('explain');
  const loaded = useData<{ data: ExplanationBody }>(
    isIncluded ? dashboardPath(explainApiPath(id)) : null,
  );
  return { ...loaded, isPending: isIncluded && !loaded.body && !loaded.error };
}

/** Returns the events of a printing's price; undefined while they are loading. */
function useEvents(
  { isPending, body }: ReturnType<typeof useExplanation>,
  { prices }: Pick<PrintingBody, 'prices'>,
  { shown, copy }: { readonly shown: string | null; readonly copy: CopyName | undefined },
) {
  return useMemo(() => {
    if (isPending) return undefined;
    const disputes = copy === undefined ? findDispute(prices) : [];
    const entries = body?.data.quarantined ?? [];
    return [...disputes, ...findQuarantined(entries, shown, copy ?? 'market')];
  }, [isPending, body, prices, shown, copy]);
}

/** Returns the prices that a chart can be compared with, because they have a history. */
function comparablePrices(groups: readonly PriceGroup[], copy: CopyName | undefined) {
  return groups
    .flatMap(({ rows }) => rows)
    .filter(({ name, isEstimated }) => {
      const isShown = name === (copy ?? 'market');
      return !isShown && !isEstimated && (isCopy(name) || name === 'market');
    });
}

interface ApiCallsProps {
  readonly id: string;
  readonly printing: string | undefined;
  readonly period: Period;
  readonly copy: CopyName | undefined;
}

/** The API calls that return the data of this page, if the account's plan includes them. */
function ApiCalls({ id, printing, period, copy }: ApiCallsProps) {
  const hasHistory = useFeature('history').isIncluded;
  const hasExplanation = useFeature('explain').isIncluded;
  const path = useLocalPath(cardApiPath(id));
  const history = useLocalPath(historyApiPath(id, { printing, period, ...viewOfPrice(copy) }));
  return (
    <TryIt
      path={path}
      also={{
        ...(hasHistory ? { 'price history': history } : {}),
        ...(hasExplanation ? { explanation: explainApiPath(id) } : {}),
      }}
    />
  );
}

/** Returns the head of the page of a card, for search engines and link previews. */
function cardHead(card: CardBody, { selected, unknownPrinting, asked }: AskedView) {
  const { id, name, set, number, rarity, image, printing } = card;
  const printed = selected ?? card;
  const found = findPrice(groupPrices(printed), asked ?? 'market');
  const copy = [unknownPrinting, asked && labelOf(asked)].filter((part) => part !== undefined);
  const amount =
    found && unknownPrinting === undefined
      ? [formatMoney(found.row.amount, printed.prices.currency)]
      : [];
  const price = [...copy, ...amount].join(' ');
  const place = [set, number].filter((part) => part !== null).join(' ');
  const facts = [printing, rarity].filter((part) => part !== null).join(', ');
  return {
    windowTitle: [name, place, price].filter((part) => part !== '').join(' · '),
    description:
      `${name}, ${place}${facts && ` (${facts})`}: ` +
      `${amount.length > 0 ? price : 'no price yet'}. Prices by condition and grade, with their history.`,
    image: image === null ? null : picturePath(id),
  };
}

/** The set, number, rarity and game of a card in one line, if known. */
function CardLine({ card }: { card: CardBody }) {
  const gameName = useGameNames();
  const { game, set, setId, setCode, number, rarity } = card;
  return (
    <ul class="card-line">
      <li>
        <a href={setHref(game, setId)}>
          <CardName name={set} />
        </a>{' '}
        <bdi class="quiet">{setCode}</bdi>
      </li>
      {number !== null && (
        <li>
          <bdi>{number}</bdi>
        </li>
      )}
      {rarity !== null && (
        <li>
          <bdi>{rarity}</bdi>
        </li>
      )}
      <li>
        <a href={setsHref(game)}>{gameName(game)}</a>
      </li>
    </ul>
  );
}

interface PrintingSwitchProps {
  readonly printings: readonly PrintingBody[];
  /** The name of the printing whose prices the page shows. */
  readonly shown: string | null;
  /** The price that the page shows. */
  readonly price: PriceName | undefined;
  onChange(printing: string): void;
}

/** Switches between the printings of a card, each with the price that the page shows. */
function PrintingSwitch({ printings, shown, price, onChange }: PrintingSwitchProps) {
  if (printings.length < 2) return null;
  return (
    <Segmented
      label="Printing"
      value={shown ?? undefined}
      onChange={onChange}
      segments={printings.map((printing) => ({
        value: printing.name,
        label: (
          <>
            <bdi>{printing.name}</bdi>{' '}
            <Money
              amount={findPrice(groupPrices(printing), price ?? 'market')?.row.amount ?? null}
              currency={printing.prices.currency}
            />
          </>
        ),
      }))}
    />
  );
}
