import '../cards/cards.css';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { AlertButton } from '../alerts/alert-button.tsx';
import { useLocalCall } from '../api/currency.ts';
import { setApiPath, setHref, setsHref } from '../api/links.ts';
import type { CardSummaryBody, MoversBody, PageBody, SetDetailBody } from '../api/responses.ts';
import { useGameNames, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { usePages } from '../cards/batches.ts';
import { CardList } from '../cards/card-list.tsx';
import { CardPages } from '../cards/card-pages.tsx';
import { pageAt } from '../cards/filters.ts';
import { SetSymbol } from '../cards/parts.tsx';
import { PriceField, rarityOptions, ViewSwitch } from '../cards/toolbar.tsx';
import { useView } from '../cards/views.ts';
import { MoverList } from '../movers/mover-list.tsx';
import { moversHref, setMoversApiPath } from '../movers/movers-query.ts';
import { SetProducts } from '../products/set-products.tsx';
import { SelectField } from '../ui/controls.tsx';
import { formatCount, formatCounted, formatDay, formatMoney, languageOf } from '../ui/format.ts';
import { useScrollRestoration } from '../ui/hooks.ts';
import { Page } from '../ui/page.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { TryIt } from '../ui/try-it.tsx';
import { PriceIndex } from './price-index.tsx';
import {
  parseSetQuery,
  SET_SORT_LABELS,
  type SetQuery,
  type SetSort,
  setCardsApiPath,
  setQueryHref,
} from './queries.ts';

/** A set: its facts, its most valuable cards, its movers and all of its cards. */
export function SetPage() {
  const { game = '', id = '' } = useRoute().params;
  return <SetById key={id} game={game} id={id} />;
}

function SetById({ game, id }: { game: string; id: string }) {
  const { body, error } = useData<{ data: SetDetailBody }>(useLocalCall(setApiPath(id)));
  const { route } = useLocation();
  const set = body?.data;
  const isElsewhere = set !== undefined && set.game !== game;
  useEffect(() => {
    if (isElsewhere) route(setHref(set.game, id), true);
  }, [isElsewhere]);
  const title = set?.name ?? 'Set';
  if (error?.status === 404) return <NoSuchSet game={game} />;
  return (
    <Page title={title} lang={languageOf(title)} {...(set && setHead(set))}>
      {set ? <SetView set={set} /> : <Loading error={error} />}
    </Page>
  );
}

function NoSuchSet({ game }: { game: string }) {
  const { games } = useSession();
  const isKnown = games.some(({ id }) => id === game);
  return (
    <Page title="Set not found" isNotFound>
      <p>
        There is no set at this address. It may be mistyped.{' '}
        <a href={isKnown ? setsHref(game) : '/sets'}>See all sets</a>
      </p>
    </Page>
  );
}

function SetView({ set }: { set: SetDetailBody }) {
  const { query: address } = useRoute();
  const { route } = useLocation();
  const { game, setId } = set;
  const query = parseSetQuery(address);
  return (
    <>
      <SetFacts set={set} />
      <p>
        <AlertButton watched={{ label: `Every card of ${set.name}`, target: { set: setId } }} />
      </p>
      <SetHighlights set={set} />
      {set.pricedCount > 0 && <PriceIndex apiPath={`${setApiPath(setId)}/index`} />}
      {set.productCount > 0 && <SetProducts setId={setId} count={set.productCount} />}
      <SetChecklist
        set={set}
        query={query}
        onChange={(change) => route(setQueryHref(game, setId, { ...query, page: 1, ...change }))}
      />
      <TryIt path={setApiPath(setId)} also={{ cards: setCardsApiPath(setId, query) }} />
    </>
  );
}

/** The facts about a whole set. */
export function SetFacts({ set }: { set: SetDetailBody }) {
  const gameName = useGameNames();
  const { game, code, releaseDate, cardCount, pricedCount, value } = set;
  return (
    <>
      <p class="set-line">
        <SetSymbol game={game} code={code} />
        <a href={setsHref(game)}>{gameName(game)}</a>
        {releaseDate !== null && (
          <span>
            Released <time dateTime={releaseDate}>{formatDay(releaseDate)}</time>
          </span>
        )}
      </p>
      <dl class="figures">
        <Figure label="Cards" value={formatCount(cardCount)} />
        <Figure label="With a price" value={formatCount(pricedCount)} />
        {value !== null && <Figure label="Value of one of each card" value={formatMoney(value)} />}
      </dl>
      {value === null && pricedCount > 0 && (
        <p class="hint">Its prices were observed on too few days to calculate a total.</p>
      )}
      <Rarities set={set} />
    </>
  );
}

/** The number of cards of each rarity, as links that filter the checklist. */
function Rarities({ set: { game, setId, rarities } }: { set: SetDetailBody }) {
  if (rarities.length === 0) return null;
  const anyCards = parseSetQuery({});
  return (
    <ul class="rarities" aria-label="Rarities">
      {rarities.map(({ rarity, cardCount }) => (
        <li key={rarity}>
          <a href={`${setQueryHref(game, setId, { ...anyCards, rarity })}#checklist`}>
            <bdi>{rarity}</bdi> <span class="quiet">{formatCount(cardCount)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The most valuable cards of a set, and its movers of the week. */
export function SetHighlights({ set }: { set: SetDetailBody }) {
  const { mostValuable } = set;
  return (
    <div class="highlights">
      {mostValuable.length > 0 && (
        <section aria-labelledby="most-valuable">
          <h2 id="most-valuable">Most valuable</h2>
          <CardList
            cards={mostValuable}
            columns={['number', 'change']}
            view="rows"
            label="Most valuable cards"
          />
        </section>
      )}
      <SetMovers set={set} />
    </div>
  );
}

function SetMovers({ set: { game, setId } }: { set: SetDetailBody }) {
  const { body } = useData<MoversBody>(useLocalCall(setMoversApiPath(setId)));
  // The section exists before its data is loaded, so nothing moves when the data arrives.
  return (
    <section aria-labelledby="movers">
      <h2 id="movers">Movers in {body?.asOf ? `the week to ${formatDay(body.asOf)}` : '7 days'}</h2>
      {body && body.data.length > 0 && (
        <MoverList movers={body.data} label="Cards with price changes" hasSet={false} />
      )}
      {body?.data.length === 0 && <p>No confirmed price changes.</p>}
      <p>
        <a href={moversHref({ game, set: setId })}>All movers in this set</a>
      </p>
    </section>
  );
}

/** Returns the head of the page of a set, for search engines and link previews. */
export function setHead({ name, code, cardCount, value }: SetDetailBody) {
  const worth = value === null ? '' : ` One of each card is worth ${formatMoney(value)}.`;
  return {
    windowTitle: `${name} (${code}) card prices`,
    description:
      `The ${formatCount(cardCount)} cards of ${name} with their prices: the most valuable, ` +
      `the movers, and a checklist.${worth}`,
  };
}

interface SetChecklistProps {
  readonly set: SetDetailBody;
  readonly query: SetQuery;
  onChange(change: Partial<SetQuery>): void;
}

/** The cards of a set, with filters. */
export function SetChecklist({ set, query, onChange }: SetChecklistProps) {
  const [view, setView] = useView();
  const { game, setId } = set;
  const pages = usePages<PageBody<CardSummaryBody>>(useLocalCall(setCardsApiPath(setId, query)));
  const [first] = pages.batches;
  const hrefOf = (page: number) => setQueryHref(game, setId, { ...query, page });
  useScrollRestoration(hrefOf(query.page), pages.isCurrent);
  return (
    <section class="found" aria-labelledby="checklist" aria-busy={pages.isLoading}>
      <h2 id="checklist">Cards</h2>
      <div class="toolbar">
        <ChecklistFilters set={set} query={query} onChange={onChange} />
        <SelectField
          label="Sort by"
          value={query.sort}
          options={Object.entries(SET_SORT_LABELS)}
          onChange={(selected) => onChange({ sort: selected as SetSort })}
        />
        <ViewSwitch view={view} onChange={setView} />
      </div>
      <PermanentError error={pages.error} />
      {first ? (
        <>
          <p role="status" class="count">
            {formatCounted(first.total, 'card')}
          </p>
          <CardPages
            pages={pages}
            view={view}
            label="Cards of this set"
            without={WITHOUT}
            hrefOf={(offset) => hrefOf(pageAt(offset))}
          />
        </>
      ) : (
        <Loading error={pages.error} />
      )}
    </section>
  );
}

/** The columns that are the same for all cards of a set. */
const WITHOUT = ['set'] as const;

function ChecklistFilters({ set, query, onChange }: SetChecklistProps) {
  const { rarities, printings } = set;
  const { rarity, printing, prices } = query;
  return (
    <>
      {(rarities.length > 1 || rarity) && (
        <SelectField
          label="Rarity"
          value={rarity}
          options={rarityOptions(rarity, rarities)}
          onChange={(selected) => onChange({ rarity: selected })}
        />
      )}
      {(printings.length > 1 || printing) && (
        <SelectField
          label="Printing"
          value={printing}
          options={[['', 'All printings'], ...printingOptions(printing, printings)]}
          onChange={(selected) => onChange({ printing: selected })}
        />
      )}
      <PriceField prices={prices} onChange={(changed) => onChange({ prices: changed })} />
    </>
  );
}

/** Returns the printings of a set, and always the selected one. */
function printingOptions(selected: string, known: readonly string[]) {
  const missing = selected === '' || known.includes(selected) ? [] : [selected];
  return [...missing, ...known].map((printing) => [printing, printing] as const);
}
