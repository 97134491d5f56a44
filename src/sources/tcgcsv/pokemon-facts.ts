import {
  type Ability,
  type Attack,
  type CardFacts,
  present,
  type TypeModifier,
} from '../../domain/facts.ts';
import { plainText } from '../kit/plain-text.ts';

/** Facts of Pokémon cards in TCGplayer's extended data, under the names of the Pokémon TCG API. */

const ENERGIES: Readonly<Record<string, string>> = {
  G: 'Grass',
  R: 'Fire',
  W: 'Water',
  L: 'Lightning',
  P: 'Psychic',
  F: 'Fighting',
  D: 'Darkness',
  M: 'Metal',
  Y: 'Fairy',
  N: 'Dragon',
  O: 'Dragon',
  C: 'Colorless',
};

/** TCGplayer's alternative names of Pokémon types. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.values(ENERGIES).map((name) => [name, name] as const),
  ['Dark', 'Darkness'],
  ['Electric', 'Lightning'],
  ['Lighnting', 'Lightning'],
  ['Normal', 'Colorless'],
]);

const TRAINERS: ReadonlyMap<string, string> = new Map([
  ['supporter', 'Supporter'],
  ['support', 'Supporter'],
  ['item', 'Item'],
  ['stadium', 'Stadium'],
  ['tool', 'Pokémon Tool'],
  ['pokemon tool', 'Pokémon Tool'],
  ['pokémon tool', 'Pokémon Tool'],
  ['technical machine', 'Technical Machine'],
  ['tm', 'Technical Machine'],
  ["rocket's secret machine", "Rocket's Secret Machine"],
]);

const STAGES: ReadonlyMap<string, string> = new Map([
  ['basic', 'Basic'],
  ['1', 'Stage 1'],
  ['stage 1', 'Stage 1'],
  ['2', 'Stage 2'],
  ['stage 2', 'Stage 2'],
  ['mega', 'MEGA'],
  ['mega evolution', 'MEGA'],
  ['level up', 'Level-Up'],
  ['level-up', 'Level-Up'],
  ['break evolution', 'BREAK'],
  ['legend', 'LEGEND'],
  ['v-union', 'V-UNION'],
]);

const MAX_ATTACKS = 4;

/** The values of extended data by their names in lower case: `cardtype`, `attack1`. */
export type ExtendedData = ReadonlyMap<string, string>;

export function pokemonFacts(data: ExtendedData): CardFacts {
  const kind = kindOf(data.get('cardtype') ?? '');
  const texts = Array.from({ length: MAX_ATTACKS }, (_, i) => data.get(`attack${i + 1}`) ?? '');
  const lines = [data.get('cardtext') ?? '', ...texts].map(plainText);
  const [text = '', ...attacks] = lines;
  const { abilities, rest } = abilitiesIn(text);
  const read = attacks.map(attackIn);
  const others = attacks.filter((_, i) => read[i] === undefined);
  const hp = data.get('hp') === '0' ? undefined : data.get('hp');
  return present({
    ...kind,
    ...(kind.supertype === 'Pokémon' && { subtypes: stageIn(data.get('stage') ?? '') }),
    hp,
    text: [rest, ...others].filter((line) => line !== '').join('\n'),
    abilities,
    attacks: read.filter((attack) => attack !== undefined),
    weaknesses: modifiersIn(data.get('weakness') ?? ''),
    resistances: modifiersIn(data.get('resistance') ?? ''),
    retreat: energiesIn(data.get('retreatcost') ?? ''),
  });
}

function kindOf(cardType: string): Pick<CardFacts, 'supertype' | 'types' | 'subtypes'> {
  const types = cardType.split(/[\s/]+/).map((word) => TYPE_NAMES.get(word));
  if (types.every((type) => type !== undefined)) return { supertype: 'Pokémon', types };
  const [, degree = ''] = /^(?:(basic|special)\b.*)?\benergy$/i.exec(cardType) ?? [];
  if (/\benergy$/i.test(cardType)) {
    return { supertype: 'Energy', subtypes: degree === '' ? [] : [capitalised(degree)] };
  }
  const trainer = cardType.replace(/^trainer(?: [-—] )?/i, '').toLowerCase();
  const subtype = TRAINERS.get(trainer);
  const isTrainer = subtype !== undefined || /^trainer/i.test(cardType);
  return isTrainer
    ? { supertype: 'Trainer', subtypes: subtype === undefined ? [] : [subtype] }
    : {};
}

function stageIn(stage: string): string[] {
  return stage === '' ? [] : [STAGES.get(stage.toLowerCase()) ?? stage];
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

/**
 * `[1RR] Fire Spin (100)`, or `[1][R][R] Fire Spin`, followed by its text on the same line or on
 * the lines below. A number counts colorless energies.
 */
const ATTACK =
  /^((?:\[[\dA-Z+]{0,8}\] ?){1,5})([^[\]()]{1,40}?)(?: ?\((\d{1,4} ?[-+x×–]?)\) ?(.*)| - (.*))?$/i;

function attackIn(text: string): Attack | undefined {
  const [head = '', ...lines] = text.replace(/^VSTAR Power\n/, '').split('\n');
  const [, cost, name, damage, behind, afterDash] = ATTACK.exec(head) ?? [];
  if (cost === undefined || name === undefined) return undefined;
  return present<Attack>({
    name: name.trim(),
    cost: energiesIn(cost),
    damage: damage?.replace(/ ?x$/i, '×'),
    text: [behind ?? afterDash ?? '', ...lines].filter((line) => line !== '').join('\n'),
  });
}

/** The energies of `1RR`, `WCC` or `3`, colourless ones last. */
function energiesIn(symbols: string): string[] {
  const named = [...symbols].flatMap((sign) => ENERGIES[sign.toUpperCase()] ?? []);
  const colorless = [...symbols].reduce((sum, sign) => sum + (Number(sign) || 0), 0);
  return [...named, ...Array.from({ length: colorless }, () => 'Colorless')];
}

/** `Fx2`, `R+20`, `P-30`, or the types of two: `FPx2`. */
function modifiersIn(text: string): TypeModifier[] {
  const [, types = '', size = ''] = /^([A-Z]{1,2}) ?([-+x] ?\d+)?$/i.exec(text) ?? [];
  const value = size.replace(' ', '').replace(/^x/i, '×');
  return energiesIn(types).map((type) => ({ type, ...(value && { value }) }));
}

/** `Ability — Fight Song`, above its text. */
const ABILITY =
  /^(Ability|Pok[eé]mon Power|Pok[eé]-?Body|Pok[eé]-?Power|Ancient Trait) ?[-–—:] ?(.{1,60})$/i;

function abilitiesIn(text: string): { readonly abilities: Ability[]; readonly rest: string } {
  const abilities: Ability[] = [];
  const rest: string[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [, kind, name] = ABILITY.exec(lines[at] ?? '') ?? [];
    const below = lines[at + 1];
    if (kind === undefined || name === undefined || below === undefined) {
      rest.push(lines[at] ?? '');
    } else {
      abilities.push({
        name,
        kind: KINDS[kind.toLowerCase().replace(/[^a-z]/g, '')] ?? kind,
        text: below,
      });
      at += 1;
    }
  }
  return { abilities, rest: rest.join('\n') };
}

const KINDS: Readonly<Record<string, string>> = {
  pokmonpower: 'Pokémon Power',
  pokemonpower: 'Pokémon Power',
  pokbody: 'Poké-Body',
  pokebody: 'Poké-Body',
  pokpower: 'Poké-Power',
  pokepower: 'Poké-Power',
};
