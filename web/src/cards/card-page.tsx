import './cards.css';
import './card-page.css';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { Period } from '../../../src/domain/day.ts';
import { useLocalCall, useLocalPath } from '../api/currency.ts';
import {
  type CardView,
  cardApiPath,
  cardHref,
  explainApiPath,
  historyApiPath,
  picturePath,
  relatedApiPath,
  setHref,
  setsHref,
} from '../api/links.ts';
import type { CardBody, PrintingBody, RelatedBody } from '../api/responses.ts';
import { useFeature, useGameNames, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { Segmented } from '../ui/controls.tsx';
import { formatMoney, languageOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Disclosure, Money } from '../ui/parts.tsx';
import { Loading } from '../ui/status.tsx';
import { TryIt } from '../ui/try-it.tsx';
import { CardActions } from './card-actions.tsx';
import { CardPrice, PriceNotes, PriceTables } from './card-prices.tsx';
import { Explanation } from './explanation.tsx';
import { parsePeriod, periodsWithin } from './history/days.ts';
import { listComparisons } from './history/lines.ts';
import { PriceHistory } from './history/price-history.tsx';
import { CardName } from './parts.tsx';
import { CardPicture } from './picture.tsx';
import { groupPrices } from './price-rows.ts';
import { MAX_OTHERS, Neighbours, OtherCards } from './related-cards.tsx';

/** A card: its price, the history of the price, and where the price comes from. */
export function CardPage() {
  const { id = '' } = useRoute().params;
  return <CardById key={id} id={id} />;
}

function CardById({ id }: { id: string }) {
  const { body, error } = useData<{ data: CardBody }>(useLocalCall(cardApiPath(id)));
  const isUnknown = error?.status === 404;
  const title = isUnknown ? 'Card not found' : (body?.data.name ?? 'Card');
  return (
    <Page
      title={title}
      lang={languageOf(title)}
      isNotFound={isUnknown}
      {...(body && cardHead(body.data))}
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

/** Returns the view of a card from the address, and a function that changes it. */
function useCardView({ id, printings }: CardBody) {
  const { query } = useRoute();
  const { route } = useLocation();
  const { historyDays } = useSession();
  const periods = periodsWithin(historyDays);
  const selected = printings.find(({ name }) => name === query.printing);
  const period = parsePeriod(query.period, periods);
  const address = { printing: selected?.name, period: query.period };
  return {
    periods,
    period,
    selected,
    isUnknownPrinting: query.printing !== undefined && !selected,
    /** Changes the view. Going back leaves the page of the card. */
    change: (view: CardView) => route(cardHref(id, { ...address, ...view }), true),
  };
}

/**
 * The number of other cards with the name listed at first. Each counts toward the priced cards that
 * a reader may see per day.
 */
const FIRST_OTHERS = 6;

function Card({ card }: { card: CardBody }) {
  const { id, game, printings } = card;
  const { periods, period, selected, isUnknownPrinting, change } = useCardView(card);
  const [others, setOthers] = useState(FIRST_OTHERS);
  const { body: related } = useData<{ data: RelatedBody }>(
    useLocalCall(relatedApiPath(id, others)),
  );
  const shown = selected?.name ?? card.printing;
  const printing = selected ?? card;
  const { conditions, grades } = groupPrices(printing.prices);
  const copies = [...conditions.priced, ...grades.priced].filter((row) => !row.isEstimated);
  return (
    <>
      <CardFacts card={card} />
      <Neighbours related={related?.data} />
      <div class="card">
        <div class="pictured">
          <CardPicture card={card} size="large" />
        </div>
        <CardPrice printing={printing} name={shown} />
        <div class="card-past">
          <PriceNotes printing={printing} />
          {isUnknownPrinting && (
            <p class="notice">This card has no such printing. Showing its default printing.</p>
          )}
          <PrintingSwitch
            printings={printings}
            shown={shown}
            onChange={(other) => change({ printing: other })}
          />
          <PriceHistory
            apiPath={cardApiPath(id)}
            printing={selected?.name}
            period={period}
            periods={periods}
            onPeriod={(other) => change({ period: other })}
            comparisons={listComparisons(card, shown, copies, printing.prices.currency)}
          />
        </div>
        <div class="card-actions">
          <CardActions card={card} printing={selected?.name} />
        </div>
      </div>
      <PriceTables printing={printing} />
      {related && (
        <OtherCards related={related.data} game={game} onShowAll={() => setOthers(MAX_OTHERS)} />
      )}
      <div class="panel folds">
        <Explanation id={id} printing={shown} sources={printing.sources} />
        <Disclosure summary="Ids of this card" render={() => <CardIds card={card} />} />
        <ApiCalls id={id} printing={selected?.name} period={period} />
      </div>
    </>
  );
}

interface ApiCallsProps {
  readonly id: string;
  readonly printing: string | undefined;
  readonly period: Period;
}

/** The API calls that return the data of this page, if the account's plan includes them. */
function ApiCalls({ id, printing, period }: ApiCallsProps) {
  const hasHistory = useFeature('history').isIncluded;
  const hasExplanation = useFeature('explain').isIncluded;
  const path = useLocalPath(cardApiPath(id));
  const history = useLocalPath(historyApiPath(id, { printing, period }));
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
export function cardHead({ id, name, set, number, rarity, image, printing, prices }: CardBody) {
  const price = prices.market === null ? [] : [formatMoney(prices.market, prices.currency)];
  const printed = [set, number].filter((part) => part !== null).join(' ');
  const facts = [printing, rarity].filter((part) => part !== null).join(', ');
  return {
    windowTitle: [name, printed, ...price].join(' · '),
    description:
      `${name}, ${printed}${facts && ` (${facts})`}: ` +
      `${price[0] ?? 'no price yet'}. Prices by condition and grade, with their history.`,
    image: image === null ? null : picturePath(id),
  };
}

/** The set, number, rarity and game of a card in one line, if known. */
export function CardFacts({ card }: { card: CardBody }) {
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

/** The ids of a card, its own and those of others, and its names in other languages. */
export function CardIds({ card }: { card: CardBody }) {
  const { id, setId, externalIds = {}, names = {} } = card;
  const named = Object.entries(names).map(([code, name]) => [`Name (${code})`, [name]] as const);
  return (
    <dl class="ids">
      <dt>Card</dt>
      <dd>{id}</dd>
      <dt>Set</dt>
      <dd>{setId}</dd>
      {[...Object.entries(externalIds), ...named].map(([label, texts]) => (
        <>
          <dt>{label}</dt>
          <dd>
            <bdi>{texts.join(', ')}</bdi>
          </dd>
        </>
      ))}
    </dl>
  );
}

interface PrintingSwitchProps {
  readonly printings: readonly PrintingBody[];
  /** The name of the printing whose prices the page shows. */
  readonly shown: string | null;
  onChange(printing: string): void;
}

/** Switches between the printings of a card, each with its market price. */
export function PrintingSwitch({ printings, shown, onChange }: PrintingSwitchProps) {
  if (printings.length < 2) return null;
  return (
    <Segmented
      label="Printing"
      value={shown ?? undefined}
      onChange={onChange}
      segments={printings.map(({ name, prices }) => ({
        value: name,
        label: (
          <>
            <bdi>{name}</bdi> <Money amount={prices.market} currency={prices.currency} />
          </>
        ),
      }))}
    />
  );
}
