import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { SourceFacts } from '../../domain/facts.ts';
import type { GameSlug } from '../../domain/games.ts';
import { ANY_GRADER, type Grade } from '../../domain/grade-names.ts';
import { partsOfGrade } from '../../domain/grades.ts';
import type { LanguageCode } from '../../domain/languages.ts';
import type { Observation } from '../../domain/observation.ts';
import type { PokemonTcgSet } from '../../domain/pokemontcg.ts';
import type { ProductContents } from '../../domain/products.ts';
import type { BrokenPart, SourceFile } from './files.ts';

/**
 * Feeds: a source's reports about cards that are already in the catalogue. An item describes a card
 * well enough to find it, and gives its prices.
 */

/** Ids of cards that several sources share (docs/glossary.md#id-space). */
export type IdSpace = 'tcgplayer' | 'scryfall' | 'cardmarket';

/** A source's description of a card. Null stands for values that the source does not give. */
export interface CardReference {
  /** The source's own id of the card, the same in all of its publications. */
  readonly externalId: string;
  readonly game: GameSlug;
  /** The name as the source writes it, without a number or a variant repeated in it. */
  readonly name: string;
  /** The collector number as the source writes it: `004/102`, `OP01-025`, `4`. */
  readonly number: string | null;
  readonly setCode: string | null;
  readonly setName: string | null;
  readonly rarity: string | null;
  /**
   * The variant that distinguishes the card from others with its name and number, such as
   * `Shadowless` or `Alternate Art`; several are separated by commas. `Normal` is the plain card;
   * null leaves it open. An edition (`1st Edition`) is both here and in the printing of the
   * observations, because the first edition of Pokémon's Base Set is a card of another set in the
   * catalogue. Other printings are not listed here.
   */
  readonly variant: string | null;
  readonly externalIds: Readonly<Partial<Record<IdSpace, string>>>;
  /** All printings of the card, if the source knows that there are no others. */
  readonly printings: readonly string[] | null;
  /** The address of a picture. Like the release date, it fills a gap in the catalogue. */
  readonly image: string | null;
  /** When the set was released, `YYYY-MM-DD`. */
  readonly releaseDate: string | null;
}

/** A set as its source describes it, under the source's own id. */
export interface DescribedSet {
  readonly id: string;
  readonly facts: PokemonTcgSet;
}

/** A card with its prices and facts. Catalogue sources observe no prices. */
export interface FeedItem {
  readonly card: CardReference;
  readonly observations: readonly Observation[];
  readonly facts?: SourceFacts;
}

/** The name of a card in another language, without a price. */
export interface Translation {
  /** Describes the card with its name in the catalogue; otherwise the source's own id of it. */
  readonly card: CardReference | string;
  readonly language: LanguageCode;
  readonly name: string;
}

/** The contents of a product. */
export interface Contained {
  readonly externalIds: CardReference['externalIds'];
  readonly contents: ProductContents;
}

/** Some items of a feed, and its unreadable ones. */
export interface FeedBatch {
  readonly items: readonly FeedItem[];
  readonly translations?: readonly Translation[];
  readonly contained?: readonly Contained[];
  readonly sets?: readonly DescribedSet[];
  /** Counts of deliberate omissions, by reason, for example `digital card`. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Unreadable records, by name. They do not stop the feed. */
  readonly broken: readonly BrokenPart[];
  /** The amount of the feed's total read so far, in its unit. */
  readonly done: number;
}

/** One state of a source of prices, as observed at one moment. */
export interface Feed {
  /** The name of the source in the registry. */
  readonly source: string;
  /** When the prices were observed, according to the operator, the source or the file. */
  readonly observedAt: Millis;
  /** The amount to read, in `unit`. */
  readonly total: number;
  readonly unit: 'KB' | 'cards';
  /** Marked as imported once the whole feed is written, so the same file is not imported twice. */
  readonly file: SourceFile | null;
  /**
   * Reads the items, a few hundred at a time, in constant memory.
   *
   * @throws OperatorError if the file as a whole is malformed. Nothing of it is then written,
   * including earlier batches.
   */
  batches(): AsyncIterable<FeedBatch>;
}

/** Options for reading a feed. */
export interface FeedOptions {
  readonly now: Millis;
  /** The games to read; null reads all games of the source. */
  readonly games: readonly GameSlug[] | null;
  /** When the prices were observed, if the operator gives it. */
  readonly observedAt: Millis | null;
  /** Further files that some sources need, by their name: MTGJSON's `identifiers`. */
  readonly files: Readonly<Record<string, string>>;
  /** The operator's mapping of generic grades to a company's grades; none by default. */
  readonly grades?: GradeMap;
}

/**
 * Opens a file or a folder of a source.
 *
 * @throws OperatorError if it cannot be read or belongs to something else.
 */
export type OpenFeed = (location: string, options: FeedOptions) => Promise<Feed>;

/**
 * Maps a company's grade to the generic grade whose price replaces it: `psa_9` to `any_9`. A
 * generic grade, a nine of any company, counts as a company's only if the operator maps it.
 */
export type GradeMap = ReadonlyMap<Grade, Grade>;

/**
 * Parses the operator's mapping of generic grades: `any_9=psa_9`, `any_9_5=cgc_9_5`. `grade_9` also
 * means `any_9`.
 *
 * @throws OperatorError for anything but such pairs, and for pairs of two different grades.
 */
export function parseGrades(pairs: readonly string[]): GradeMap {
  const grades = new Map<Grade, Grade>();
  for (const pair of pairs) {
    const [written = '', name = '', ...more] = pair.split('=').map((part) => part.trim());
    const generic = written.replace(/^grade_/, `${ANY_GRADER}_`);
    if (!isSameGrade(name, generic) || more.length > 0 || grades.has(name as Grade)) {
      throw new OperatorError(
        `--grade "${pair}" is not <generic grade>=<the same grade of a company>, each company's ` +
          'once, such as any_9=psa_9 or any_9_5=cgc_9_5.',
      );
    }
    grades.set(name as Grade, generic as Grade);
  }
  return grades;
}

/**
 * Whether a company's grade equals a generic one: `bgs_9_5` and `any_9_5`. No generic 10 exists,
 * because the prices of tens differ most by company.
 */
function isSameGrade(grade: string, generic: string): boolean {
  const [own, other] = [partsOfGrade(grade), partsOfGrade(generic)];
  const isPlain = own !== undefined && own.label === undefined && own.grader.slug !== ANY_GRADER;
  return (
    isPlain && other?.grader.slug === ANY_GRADER && own.number === other.number && own.number < 10
  );
}

/** Adds the mapped generic grades to graded prices. A company's own price comes first. */
export function withMappedGrades(
  graded: Observation['graded'],
  grades: GradeMap,
): Observation['graded'] {
  const mapped: Partial<Record<Grade, Observation['graded'][Grade]>> = {};
  for (const [grade, generic] of grades) {
    const amount = graded[generic];
    if (amount !== undefined) mapped[grade] = amount;
  }
  return { ...mapped, ...graded };
}
