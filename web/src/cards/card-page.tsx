import { useRoute } from 'preact-iso';
import type { Period } from '../../../src/domain/window.ts';
import './cards.css';
import './card-page.css';
import { TryIt } from '../account/try-it.tsx';
import { useFeature } from '../account/use-feature.ts';
import { useData } from '../api/use-data.ts';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/status.tsx';
import { CardFacts } from './card-facts.tsx';
import { cardHead } from './card-head.ts';
import { CardPicture } from './card-picture.tsx';
import { PriceTables, Printings } from './card-prices.tsx';
import { Explanation } from './explanation.tsx';
import { parsePeriod } from './history/periods.ts';
import { PriceHistory } from './history/price-history.tsx';
import { cardApiPath, cardHref, dashboardPath, explainApiPath, historyApiPath } from './links.ts';
import type { CardBody } from './responses.ts';

/** A card: its picture, facts, prices and price history. */
export function CardPage() {
  const { id = '' } = useRoute().params;
  return <CardById key={id} id={id} />;
}

function CardById({ id }: { id: string }) {
  const { body, error } = useData<{ data: CardBody }>(dashboardPath(cardApiPath(id)));
  const isUnknown = error?.status === 404;
  const title = isUnknown ? 'There is no such card' : (body?.data.name ?? 'Card');
  return (
    <Page title={title} isNotFound={isUnknown} {...(body && cardHead(body.data))}>
      {isUnknown && (
        <p>
          No card has this address. It may be mistyped. <a href="/">Search cards</a>
        </p>
      )}
      {!isUnknown && (body ? <Card card={body.data} /> : <Loading error={error} />)}
    </Page>
  );
}

function Card({ card }: { card: CardBody }) {
  const { query } = useRoute();
  const period = parsePeriod(query.period);
  const { id, printings } = card;
  const selected = printings.find((printing) => printing.name === query.printing);
  const shown = selected?.name ?? card.printing;
  const hrefOf = (change: { printing?: string; period?: Period }) => {
    return cardHref(id, { printing: selected?.name, period: query.period, ...change });
  };
  return (
    <>
      <div class="card">
        <CardPicture card={card} size="large" />
        <CardFacts card={card} />
        <div>
          <Printings
            printings={printings}
            shown={shown}
            hrefOf={(printing) => hrefOf({ printing })}
          />
          <h2>
            Prices
            {shown !== null && (
              <>
                {' '}
                of <bdi>{shown}</bdi>
              </>
            )}
          </h2>
          {query.printing && !selected && (
            <p class="notice">
              This card has no such printing. These are the prices that it has by itself.
            </p>
          )}
          <PriceTables {...(selected ?? card)} />
          <Explanation id={id} printing={shown} />
        </div>
      </div>
      <PriceHistory
        id={id}
        printing={selected?.name}
        period={period}
        hrefOf={(other) => hrefOf({ period: other })}
      />
      <ApiCalls id={id} printing={selected?.name} period={period} />
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
