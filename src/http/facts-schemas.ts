import { Type } from 'typebox';
import type { Legality } from '../domain/facts.ts';

/** The schema of facts. docs/facts.md has what each of them means in which game. */

const Text = Type.Optional(Type.String());
const Texts = Type.Optional(Type.Array(Type.String()));

const Modifiers = Type.Optional(
  Type.Array(Type.Object({ type: Type.String(), value: Text }, { title: 'TypeModifier' })),
);

const Named = { name: Type.String(), text: Text };

export const Facts = Type.Object(
  {
    supertype: Text,
    types: Texts,
    subtypes: Texts,
    colors: Texts,
    attributes: Texts,
    keywords: Texts,
    cost: Text,
    manaCost: Text,
    hp: Text,
    power: Text,
    toughness: Text,
    defense: Text,
    life: Text,
    level: Text,
    loyalty: Text,
    lore: Text,
    pitch: Text,
    intellect: Text,
    counter: Text,
    link: Text,
    scale: Text,
    text: Text,
    flavorText: Text,
    rules: Texts,
    abilities: Type.Optional(Type.Array(Type.Object({ ...Named, kind: Text }))),
    attacks: Type.Optional(Type.Array(Type.Object({ ...Named, cost: Texts, damage: Text }))),
    weaknesses: Modifiers,
    resistances: Modifiers,
    retreat: Texts,
    evolvesFrom: Text,
    evolvesTo: Texts,
    nationalPokedexNumbers: Type.Optional(Type.Array(Type.Integer())),
    regulationMark: Text,
    artist: Text,
    legalities: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Legality>>>({
        type: 'object',
        additionalProperties: { type: 'string' },
      }),
    ),
  },
  {
    $id: 'Facts',
    title: 'Facts',
    description:
      'What the card is: only what sources give. Numbers are texts as printed. `legalities` has ' +
      'the formats in which it is `legal`, `restricted` or `banned`.',
    examples: [{ types: ['Fire'], hp: '120', artist: 'Mitsuhiro Arita' }],
  },
);
