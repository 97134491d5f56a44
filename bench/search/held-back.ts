/**
 * Makes queries from real cards, of kinds that were not used to build the search. Their rates show
 * how well it handles unexpected queries.
 */
import type { Card, CardSet } from '../../src/domain/card.ts';
import { readSetName } from '../../src/domain/card-name.ts';
import { collectorPart } from '../../src/domain/collector-number.ts';
import { GAME_SLUGS, type GameSlug } from '../../src/domain/games.ts';
import { decodeEntities, foldWords, isJapanese } from '../../src/domain/text.ts';
import { Draw } from './draw.ts';
import { misspell } from './misspellings.ts';
import { misreadText } from './ocr.ts';
import { type KnownQuery, plainName } from './queries.ts';

/** Species by their Japanese name: in English, and in Latin letters as people type them. */
const SPECIES: readonly (readonly [name: string, english: string, ...romaji: string[]])[] = [
  ['リザードン', 'charizard', 'rizaadon', 'lizardon', 'rizadon'],
  ['フシギバナ', 'venusaur', 'fushigibana'],
  ['カメックス', 'blastoise', 'kamekkusu', 'kamex'],
  ['ピカチュウ', 'pikachu', 'pikachuu'],
  ['ゲンガー', 'gengar', 'gengaa', 'genga'],
  ['ミュウツー', 'mewtwo', 'myuutsuu', 'myuutsu'],
  ['ミュウ', 'mew', 'myuu'],
  ['イーブイ', 'eevee', 'iibui', 'eievui'],
  ['ブラッキー', 'umbreon', 'burakkii', 'blacky'],
  ['エーフィ', 'espeon', 'eefi', 'eifie'],
  ['ニンフィア', 'sylveon', 'ninfia', 'nymphia'],
  ['グレイシア', 'glaceon', 'gureishia', 'glacia'],
  ['リーフィア', 'leafeon', 'riifia', 'leafia'],
  ['シャワーズ', 'vaporeon', 'shawaazu', 'showers'],
  ['サンダース', 'jolteon', 'sandaasu', 'thunders'],
  ['ブースター', 'flareon', 'buusutaa', 'booster'],
  ['ルギア', 'lugia', 'rugia'],
  ['レックウザ', 'rayquaza', 'rekkuuza'],
  ['ギラティナ', 'giratina', 'giratina'],
  ['アルセウス', 'arceus', 'aruseusu'],
  ['ディアルガ', 'dialga', 'diaruga'],
  ['パルキア', 'palkia', 'parukia'],
  ['ダークライ', 'darkrai', 'daakurai'],
  ['ルカリオ', 'lucario', 'rukario'],
  ['ゲッコウガ', 'greninja', 'gekkouga'],
  ['サーナイト', 'gardevoir', 'saanaito', 'sirnight'],
  ['ガブリアス', 'garchomp', 'gaburiasu'],
  ['カビゴン', 'snorlax', 'kabigon'],
  ['ギャラドス', 'gyarados', 'gyaradosu'],
  ['カイリュー', 'dragonite', 'kairyuu', 'kairyu'],
  ['ラプラス', 'lapras', 'rapurasu', 'laplace'],
  ['ウインディ', 'arcanine', 'uindi', 'windie'],
  ['キュウコン', 'ninetales', 'kyuukon', 'kyukon'],
  ['フーディン', 'alakazam', 'fuudin', 'foodin'],
  ['カイリキー', 'machamp', 'kairikii', 'kairiky'],
  ['コイキング', 'magikarp', 'koikingu', 'koiking'],
  ['バンギラス', 'tyranitar', 'bangirasu', 'bangiras'],
  ['ハッサム', 'scizor', 'hassamu', 'hassam'],
  ['セレビィ', 'celebi', 'serebii', 'serebyi'],
  ['ジラーチ', 'jirachi', 'jiraachi'],
  ['ラティアス', 'latias', 'ratiasu'],
  ['ラティオス', 'latios', 'ratiosu'],
  ['ゼクロム', 'zekrom', 'zekuromu'],
  ['レシラム', 'reshiram', 'reshiramu'],
  ['ミミッキュ', 'mimikyu', 'mimikkyu'],
  ['コダック', 'psyduck', 'kodakku'],
  ['ヤドン', 'slowpoke', 'yadon'],
  ['ミライドン', 'miraidon', 'miraidon'],
  ['コライドン', 'koraidon', 'koraidon'],
  ['ポッチャマ', 'piplup', 'potchama', 'pochama'],
];

const PER_KIND = 50;

/** A query for a card, and the fields that it means in addition to the name. */
type Typed = Pick<KnownQuery, 'q' | 'set' | 'setCode' | 'number' | 'rarity' | 'year' | 'printing'>;

type Type = (card: Card, draw: Draw) => Typed | undefined;

const GAME_WORDS: Readonly<Partial<Record<GameSlug, readonly string[]>>> = {
  pokemon: ['pokemon', 'pokémon', 'pkmn', 'pokemon tcg'],
  pokemonjp: ['pokemon japanese', 'japanese'],
  mtg: ['mtg', 'magic', 'magic the gathering', 'Magic: The Gathering'],
  yugioh: ['yugioh', 'yu-gi-oh', 'YGO', 'Yu-Gi-Oh!'],
  lorcana: ['lorcana', 'disney lorcana'],
  onepiece: ['one piece', 'optcg', 'one piece tcg'],
  swu: ['swu', 'star wars unlimited', 'Star Wars: Unlimited'],
  fab: ['fab', 'flesh and blood', 'Flesh & Blood'],
};

const GRADES = ['psa 10', 'PSA10', 'psa 9', 'bgs 9.5', 'BGS 10', 'cgc 9.5', 'CGC 10', 'sgc 9'];
const GRADE_ENDS = ['', '', '', ' gem mint', ' GEM MT', ' graded', ' slab', ' pop 12'];
const CONDITIONS = [
  'NM',
  'near mint',
  'lp',
  'lightly played',
  'MP',
  'nm/m',
  'mint',
  'hp',
  'damaged',
];
const PRINTING_WORDS: Readonly<Record<string, readonly string[]>> = {
  Normal: ['non foil', 'nonfoil', 'normal'],
  Foil: ['foil', 'FOIL'],
  'Cold Foil': ['cold foil', 'foil'],
  'Reverse Holofoil': ['reverse holo', 'rev holo', 'reverse', 'RH'],
  Holofoil: ['holo', 'holofoil'],
  '1st Edition': ['1st edition', '1st ed', 'first edition'],
  Unlimited: ['unlimited'],
};
const FIRST_EDITION = ['1st edition', '1st ed', 'first edition', '1st ed.'];
const NUMBER_WORDS = ['no. ', 'No.', 'no ', 'nr. ', 'number ', '№ '];
const SIGNS = ['🔥', '✨', '⭐', '💎', '🚨', '❗'];
const SHOUTS = [
  'L@@K',
  'FREE SHIPPING',
  'Pack Fresh',
  'RARE!!',
  'HOT',
  'mint condition',
  'WOW',
  'x1',
];

/** Every kind, in the words of its parts. */
const KINDS: Readonly<Record<string, Type>> = {
  'game+name+set': (card, draw) => {
    return {
      q: `${gameWord(card, draw)} ${lower(card)} ${setWords(card.set)}`,
      set: card.set.name,
    };
  },
  'set code+name+rarity': ({ set, rarity, ...card }, draw) => {
    if (rarity === null) return undefined;
    const code = draw.pick([set.code, set.code.toLowerCase(), set.code.replace('-', '')]);
    return { q: `${code} ${lower(card)} ${rarity.toLowerCase()}`, setCode: set.code, rarity };
  },
  'name+grade': (card, draw) => {
    const grade = draw.pick(GRADES) + draw.pick(GRADE_ENDS);
    return { q: draw.chance(0.5) ? `${lower(card)} ${grade}` : `${grade} ${lower(card)}` };
  },
  'name+condition+printing': (card, draw) => {
    if (card.printings.length === 0) return undefined;
    const printing = draw.pick(card.printings).name;
    const words = PRINTING_WORDS[printing];
    if (words === undefined) return undefined;
    return { q: `${lower(card)} ${draw.pick(CONDITIONS)} ${draw.pick(words)}`, printing };
  },
  '1st edition+name+set': (card, draw) => {
    const first = card.printings.find(({ name }) => name.startsWith('1st Edition'));
    if (first === undefined) return undefined;
    const q = `${draw.pick(FIRST_EDITION)} ${lower(card)} ${setWords(card.set)}`;
    return { q, set: card.set.name, printing: first.name };
  },
  'name+number with no.': (card, draw) => {
    const { number } = card;
    if (number === null) return undefined;
    const typed = draw.pick(NUMBER_WORDS) + withoutZeros(collectorPart(number), draw);
    return { q: draw.chance(0.7) ? `${lower(card)} ${typed}` : `${typed} ${lower(card)}`, number };
  },
  'misspelt set+name': (card, draw) => {
    const words = setWords(card.set).split(' ');
    const long = words.findIndex((word) => /^[a-z]{5,}$/.test(word));
    if (long === -1) return undefined;
    const typed = words.with(long, misspell(words[long] ?? '', draw)).join(' ');
    return { q: `${typed} ${lower(card)}`, set: card.set.name };
  },
  'title with noise': (card, draw) => {
    if (card.number === null) return undefined;
    const [sign, shout] = [draw.pick(SIGNS), draw.pick(SHOUTS)];
    const parts = [plain(card), card.number, decodeEntities(card.set.name), card.rarity ?? ''];
    const end = [gameWord(card, draw), draw.pick(CONDITIONS), shout, sign];
    const q = [sign + sign, ...parts, ...end].filter((part) => part !== '').join(' ');
    return { q, set: card.set.name, number: card.number };
  },
  'lower-case OCR': (card, draw) => {
    if (card.number === null || plain(card).length < 6) return undefined;
    const q = `${misreadText(lower(card), draw)} ${card.number.toLowerCase()}`;
    return { q, number: card.number };
  },
  'part of name+number': (card, draw) => {
    const words = lower(card).split(' ');
    if (card.number === null || words.length < 2) return undefined;
    const part = draw.chance(0.5) ? words.slice(0, 1) : words.slice(-1);
    if ((part[0] ?? '').length < 4) return undefined;
    return {
      q: `${part.join(' ')} ${draw.chance(0.3) ? '#' : ''}${card.number}`,
      number: card.number,
    };
  },
  'year+set+name': (card) => {
    const year = card.set.releaseDate?.slice(0, 4);
    if (year === undefined) return undefined;
    return { q: `${year} ${setWords(card.set)} ${lower(card)}`, set: card.set.name, year };
  },
};

/** Makes 50 queries of each of 12 kinds, the same for the same seed. */
export function makeHeldBack(cards: readonly Card[], seed: number): KnownQuery[] {
  const latin = cards.filter(({ name, set }) => !isJapanese(name) && !isJapanese(set.name));
  const byGame = Map.groupBy(latin, ({ set }) => set.game);
  const games = GAME_SLUGS.filter((game) => (byGame.get(game)?.length ?? 0) > 100);
  const made = Object.entries(KINDS).flatMap(([kind, type]) => {
    const draw = new Draw(seed, kind);
    return draw.collect(games, PER_KIND, (game) => {
      const card = draw.pick(byGame.get(game) ?? []);
      const typed = type(card, draw);
      if (typed === undefined || typed.q.length > 200) return undefined;
      return { kind, game, name: plainName(card.name), ...typed };
    });
  });
  return [...made, ...makeSpecies(new Draw(seed, 'species'))];
}

function makeSpecies(draw: Draw): KnownQuery[] {
  return SPECIES.map(([name, english, ...romaji]) => {
    const word = draw.pick(['japanese', 'jp', 'japanese pokemon']);
    const q = draw.chance(0.5) ? `${english} ${word}` : draw.pick(romaji);
    return { kind: 'species across languages', q, game: 'pokemonjp', name, otherName: english };
  });
}

function plain(card: Pick<Card, 'name'>): string {
  return plainName(decodeEntities(card.name));
}

/** A name as people type it: in lower case, without signs that need a search for the key. */
function lower(card: Pick<Card, 'name'>): string {
  const words = plain(card).toLowerCase().split(/\s+/);
  return words.filter((word) => foldWords(word).length > 0).join(' ');
}

function setWords(set: CardSet): string {
  return readSetName(decodeEntities(set.name)).name.toLowerCase();
}

function gameWord({ set }: Card, draw: Draw): string {
  return draw.pick(GAME_WORDS[set.game] ?? [set.game]);
}

function withoutZeros(number: string, draw: Draw): string {
  return draw.chance(0.5) ? number.replace(/^0+(?=\d)/, '') : number;
}
