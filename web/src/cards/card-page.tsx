import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { Period } from '../../../src/domain/window.ts';
import './cards.css';
import './card-page.css';
import { useSession } from '../account/session.tsx';
import { TryIt } from '../account/try-it.tsx';
import { useFeature } from '../account/use-feature.ts';
import { useData } from '../api/use-data.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/status.tsx';
import { CardActions } from './card-actions.tsx';
import { CardFacts, CardIds } from './card-facts.tsx';
import { cardHead } from './card-head.ts';
import { CardPicture } from './card-picture.tsx';
import { CardPrice, PriceNotes } from './card-price.tsx';
import { PriceTables } from './card-prices.tsx';
import { Explanation } from './explanation.tsx';
import { listComparisons } from './history/lines.ts';
import { parsePeriod, periodsWithin } from './history/periods.ts';
import { PriceHistory } from './history/price-history.tsx';
import { languageOf } from './language.ts';
import {
  type CardView,
  cardApiPath,
  cardHref,
  dashboardPath,
  explainApiPath,
  historyApiPath,
  relatedApiPath,
} from './links.ts';
import { Neighbours } from './neighbours.tsx';
import { MAX_OTHERS, OtherCards } from './other-cards.tsx';
import { groupPrices } from './price-rows.ts';
import { PrintingSwitch } from './printing-switch.tsx';
import type { CardBody, RelatedBody } from './responses.ts';

/** A card: what it is worth, how that has changed, and where the numbers come from. */
export function CardPage() {
  const { id = '' } = useRoute().params;
  return <CardById key={id} id={id} />;
}

function CardById({ id }: { id: string }) {
  const { body, error } = useData<{ data: CardBody }>(dashboardPath(cardApiPath(id)));
  const isUnknown = error?.status === 404;
  const title = isUnknown ? 'There is no such card' : (body?.data.name ?? 'Card');
  return (
    <Page
      title={title}
      lang={languageOf(title)}
      isNotFound={isUnknown}
      {...(body && cardHead(body.data))}
    >
      {isUnknown && (
        <p>
          No card has this address. It may be mistyped. <a href="/">Search cards</a>
        </p>
      )}
      {!isUnknown && (body ? <Card card={body.data} /> : <Loading error={error} />)}
    </Page>
  );
}

/** What the address says of the page of a card, and what changes it. */
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
    /** Shows something else of the card; going back leaves its page. */
    change: (view: CardView) => route(cardHref(id, { ...address, ...view }), true),
  };
}

/**
 * How many other cards of the name are listed at first: each counts among the priced cards that a
 * reader is shown in a day.
 */
const FIRST_OTHERS = 6;

function Card({ card }: { card: CardBody }) {
  const { id, game, printings } = card;
  const { periods, period, selected, isUnknownPrinting, change } = useCardView(card);
  const [others, setOthers] = useState(FIRST_OTHERS);
  const { body: related } = useData<{ data: RelatedBody }>(
    dashboardPath(relatedApiPath(id, others)),
  );
  const shown = selected?.name ?? card.printing;
  const printing = selected ?? card;
  const grades = groupPrices(printing.prices).grades.priced;
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
            <p class="notice">
              This card has no such printing. These are the prices that it has by itself.
            </p>
          )}
          <PrintingSwitch
            printings={printings}
            shown={shown}
            onChange={(other) => change({ printing: other })}
          />
          <PriceHistory
            id={id}
            printing={selected?.name}
            period={period}
            periods={periods}
            onPeriod={(other) => change({ period: other })}
            comparisons={listComparisons(card, shown, grades)}
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

/** The API calls that return what this page shows, as far as the account's plan includes them. */
function ApiCalls({ id, printing, period }: ApiCallsProps) {
  const hasHistory = useFeature('history').isIncluded;
  const hasExplanation = useFeature('explain').isIncluded;
  return (
    <TryIt
      path={cardApiPath(id)}
      also={{
        ...(hasHistory ? { 'price history': historyApiPath(id, { printing, period }) } : {}),
        ...(hasExplanation ? { explanation: explainApiPath(id) } : {}),
      }}
    />
  );
}
