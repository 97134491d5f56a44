import { Type } from 'typebox';
import type { Legality } from '../domain/facts.ts';

/** The schema of facts. docs/facts.md describes the meaning of each fact in each game. */

const Text = (description: string) => Type.Optional(Type.String({ description }));
const Texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const TypeModifier = Type.Object(
  { type: Type.String({ description: 'The type.' }), value: Text('`×2`, `-30`.') },
  { title: 'TypeModifier' },
);

const Modifiers = (description: string) => Type.Optional(Type.Array(TypeModifier, { description }));

const Named = { name: Type.String({ description: 'Name.' }), text: Text('Text.') };

const Ability = Type.Object({ ...Named, kind: Text('Such as `Poké-Body`.') }, { title: 'Ability' });

const Attack = Type.Object(
  { ...Named, cost: Texts('The types of its energies.'), damage: Text('As printed: `60+`.') },
  { title: 'Attack' },
);

export const Facts = Type.Object(
  {
    supertype: Text('Pokémon, Trainer or Energy.'),
    types: Texts('Types; of Pokémon, energy types.'),
    subtypes: Texts('Stages, races, traits and the like.'),
    colors: Texts('Colors, inks or aspects.'),
    attributes: Texts('Attributes or arenas.'),
    keywords: Texts('Keywords.'),
    cost: Text('Total cost.'),
    manaCost: Text('Symbols of the cost.'),
    hp: Text('Hit points.'),
    power: Text('Power, ATK or strength.'),
    toughness: Text('Toughness or willpower.'),
    defense: Text('DEF or defense.'),
    life: Text('Life.'),
    level: Text('Level or rank.'),
    loyalty: Text('Loyalty.'),
    lore: Text('Lore.'),
    pitch: Text('Pitch.'),
    intellect: Text('Intellect.'),
    counter: Text('Counter.'),
    link: Text('Link rating.'),
    scale: Text('Pendulum scale.'),
    text: Text('Rules text, in lines; `//` separates faces.'),
    flavorText: Text('Flavor text.'),
    rules: Texts('Rules of Trainers and rule boxes.'),
    abilities: Type.Optional(Type.Array(Ability, { description: 'Abilities.' })),
    attacks: Type.Optional(Type.Array(Attack, { description: 'Attacks.' })),
    weaknesses: Modifiers('Weaknesses.'),
    resistances: Modifiers('Resistances.'),
    retreat: Texts('The types of the energies of a retreat.'),
    evolvesFrom: Text('What it evolves from.'),
    evolvesTo: Texts('What it evolves to.'),
    nationalPokedexNumbers: Type.Optional(
      Type.Array(Type.Integer(), { description: 'National Pokédex numbers.' }),
    ),
    regulationMark: Text('Regulation mark.'),
    artist: Text('Artists, joined by ` & `.'),
    legalities: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Legality>>>({
        type: 'object',
        description: '`legal`, `restricted` or `banned` by format.',
        additionalProperties: { type: 'string' },
      }),
    ),
  },
  {
    $id: 'Facts',
    title: 'Facts',
    description: 'What the card is: only what sources give. Numbers are texts as printed.',
    examples: [{ types: ['Fire'], hp: '120', artist: 'Mitsuhiro Arita' }],
  },
);
