import { useRoute } from 'preact-iso';
import type { Period } from '../../../src/domain/window.ts';
import '../cards.css';
import '../parts/card-page.css';
import { useData } from '../data.ts';
import type { Detail } from '../parts/card-bodies.ts';
import { Explanation } from '../parts/card-explain.tsx';
import { Facts } from '../parts/card-facts.tsx';
import { cardAddress, cardCall, explainCall, historyCall, own } from '../parts/card-paths.ts';
import { Picture } from '../parts/card-picture.tsx';
import { useFeature } from '../parts/card-plan.ts';
import { PriceTables } from '../parts/card-prices.tsx';
import { History } from '../parts/history.tsx';
import { readPeriod } from '../parts/history-periods.ts';
import { Page } from '../parts/page.tsx';
import { Printings } from '../parts/printings.tsx';
import { TryIt } from '../parts/try-it.tsx';
import { Waiting } from '../parts/waiting.tsx';

/** A card with everything that is known of it. */
export function CardPage() {
  const { id = '' } = useRoute().params;
  return <CardOf key={id} id={id} />;
}

function CardOf({ id }: { id: string }) {
  const { body, error } = useData<{ data: Detail }>(own(cardCall(id)));
  const isUnknown = error?.status === 404;
  const title = isUnknown ? 'There is no such card' : (body?.data.name ?? 'Card');
  return (
    <Page title={title}>
      {isUnknown && (
        <p>
          No card has this address. It may be mistyped. <a href="/">Search cards</a>
        </p>
      )}
      {!isUnknown && (body ? <Card card={body.data} /> : <Waiting error={error} />)}
    </Page>
  );
}

function Card({ card }: { card: Detail }) {
  const { query } = useRoute();
  const period = readPeriod(query.period);
  const { id, name, image, printings } = card;
  const chosen = printings.find((printing) => printing.name === query.printing);
  const shown = chosen?.name ?? card.printing;
  const address = (change: { printing?: string; period?: Period }) => {
    return cardAddress(id, { printing: chosen?.name, period: query.period, ...change });
  };
  return (
    <>
      <div class="card">
        <Picture id={id} name={name} isKnown={image !== null} />
        <Facts card={card} />
        <div>
          <Printings
            printings={printings}
            shown={shown}
            addressOf={(printing) => address({ printing })}
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
          {query.printing && !chosen && (
            <p class="notice">This card has no such printing. This is its plainest one.</p>
          )}
          <PriceTables {...(chosen ?? card)} />
          <Explanation id={id} printing={shown} />
        </div>
      </div>
      <History
        id={id}
        printing={chosen?.name}
        period={period}
        addressOf={(other) => address({ period: other })}
      />
      <Calls id={id} printing={chosen?.name} period={period} />
    </>
  );
}

interface CallsProps {
  readonly id: string;
  readonly printing: string | undefined;
  readonly period: Period;
}

/** The calls of the API that give what this page shows to the reader. */
function Calls({ id, printing, period }: CallsProps) {
  const hasHistory = useFeature('history').isIncluded;
  const hasExplanation = useFeature('explain').isIncluded;
  return (
    <TryIt
      path={cardCall(id)}
      also={{
        ...(hasHistory ? { 'price history': historyCall(id, { printing, period }) } : {}),
        ...(hasExplanation ? { explanation: explainCall(id) } : {}),
      }}
    />
  );
}
