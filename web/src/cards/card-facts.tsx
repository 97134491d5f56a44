import { PAGES } from '../../../src/dashboard/pages.ts';
import type { CardFacts as Facts, Legality, TypeModifier } from '../../../src/domain/facts.ts';
import { Fact, Facts as FactList } from '../ui/parts.tsx';

/** The labels of numbers and lists, in their order. */
const LABELS = {
  cost: 'Cost',
  hp: 'HP',
  life: 'Life',
  level: 'Level',
  power: 'Power',
  toughness: 'Toughness',
  defense: 'Defense',
  loyalty: 'Loyalty',
  lore: 'Lore',
  link: 'Link rating',
  scale: 'Scale',
  pitch: 'Pitch',
  intellect: 'Intellect',
  counter: 'Counter',
  colors: 'Colors',
  attributes: 'Attributes',
  keywords: 'Keywords',
} as const satisfies Partial<Record<keyof Facts, string>>;

/** The names that players of a game use for some of them. */
const LABELS_BY_GAME: Readonly<Record<string, Partial<Record<keyof typeof LABELS, string>>>> = {
  yugioh: { power: 'ATK', defense: 'DEF' },
  lorcana: { power: 'Strength', toughness: 'Willpower', colors: 'Ink' },
  swu: { colors: 'Aspects', attributes: 'Arena' },
};

interface Props {
  readonly game: string;
  readonly facts: Facts;
}

/** The facts and texts of a card, as far as sources give them. */
export function CardFacts({ game, facts }: Props) {
  const { supertype, types = [], subtypes = [], text = '', rules = [] } = facts;
  const typeLine = [supertype, types.join(' '), subtypes.join(' ')].filter(Boolean).join(' · ');
  return (
    <section class="panel card-facts">
      <h2>Card details</h2>
      {typeLine !== '' && <p class="type-line">{typeLine}</p>}
      <Abilities facts={facts} />
      {[...text.split('\n//\n'), ...rules].map((part) => part && <p key={part}>{part}</p>)}
      {facts.flavorText && <p class="quiet flavor">{facts.flavorText}</p>}
      <Details game={game} facts={facts} />
    </section>
  );
}

/** The abilities and attacks of a Pokémon. */
function Abilities({ facts: { abilities = [], attacks = [] } }: Pick<Props, 'facts'>) {
  if (abilities.length + attacks.length === 0) return null;
  return (
    <ul class="attacks">
      {abilities.map(({ name, kind, text }) => (
        <li key={name}>
          <strong>{name}</strong> <span class="quiet">{kind}</span>
          {text && <p>{text}</p>}
        </li>
      ))}
      {attacks.map(({ name, cost = [], damage, text }) => (
        <li key={name}>
          <strong>
            {name} {damage}
          </strong>{' '}
          <span class="quiet">{countedTypes(cost)}</span>
          {text && <p>{text}</p>}
        </li>
      ))}
    </ul>
  );
}

/** The short facts, each with its label. */
function Details({ game, facts }: Props) {
  const { artist, manaCost, weaknesses = [], resistances = [] } = facts;
  const labels = { ...LABELS, ...LABELS_BY_GAME[game] };
  const details = [
    ...(Object.keys(LABELS) as (keyof typeof LABELS)[]).map((name) => {
      return [
        labels[name],
        (name === 'cost' && manaCost) || [facts[name] ?? []].flat().join(', '),
      ] as const;
    }),
    ['Weakness', weaknesses.map(modifierText).join(', ')],
    ['Resistance', resistances.map(modifierText).join(', ')],
    ['Retreat', facts.retreat && countedTypes(facts.retreat)],
    ['Evolves from', facts.evolvesFrom],
    ['Evolves to', facts.evolvesTo?.join(', ')],
    ['Regulation mark', facts.regulationMark],
    [
      'Formats',
      Object.entries(facts.legalities ?? {})
        .map(formatText)
        .join(', '),
    ],
  ] as const;
  return (
    <FactList>
      {details.map(
        ([name, text]) =>
          text && (
            <Fact key={name} name={name}>
              {text}
            </Fact>
          ),
      )}
      {artist && (
        <Fact name="Artist">
          <a href={`${PAGES.search}?q=${encodeURIComponent(`artist:"${artist}"`)}`}>
            <bdi>{artist}</bdi>
          </a>
        </Fact>
      )}
    </FactList>
  );
}

function modifierText({ type, value = '' }: TypeModifier): string {
  return `${type} ${value}`.trim();
}

/** `Standard`, `Vintage (restricted)`. */
function formatText([format, legality]: readonly [string, Legality]): string {
  const name = format.charAt(0).toUpperCase() + format.slice(1);
  return legality === 'legal' ? name : `${name} (${legality})`;
}

/** `Fire ×2, Colorless`. */
function countedTypes(types: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => (count > 1 ? `${type} ×${count}` : type)).join(', ');
}
