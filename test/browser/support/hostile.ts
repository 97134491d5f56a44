import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Names that a source may send by mistake or on purpose, and that are hard to show. */
export const NAMES = {
  script: `<script>document.title = 'taken over'</script>`,
  image: `<img src=x onerror="document.title = 'taken over'">`,
  rightToLeft: '\u202eEvil \u05d3\u05e8\u05e7\u05d5\u05df backwards',
  long: 'Interminable'.repeat(40).slice(0, 500),
  emoji: '👩‍👩‍👧‍👦 Family 🔥🔥🔥',
  quotes: `"'><b>Bold</b>&`,
};

const GAME = 71;
const GROUP = 71_999_999;

/** A card whose price is a hundred times higher in the second download. */
export const JUMPER = 'Jumping Jack';

interface Download {
  /** When the prices were observed. */
  readonly observed: string;
  /** The price of {@link JUMPER}, in dollars. */
  readonly jumperPrice: number;
}

/** Writes a TCGCSV tree with one set of Lorcana, whose cards have the hostile names. */
export async function writeHostileTree(folder: string, download: Download): Promise<void> {
  const names = [...Object.values(NAMES), JUMPER];
  const game = join(folder, 'tcgplayer', String(GAME));
  await mkdir(join(game, String(GROUP)), { recursive: true });
  await writeFile(join(folder, 'last-updated.txt'), download.observed);
  await writeFile(join(game, 'groups'), results([GROUP_ROW]));
  await writeFile(join(game, String(GROUP), 'products'), results(names.map(product)));
  await writeFile(
    join(game, String(GROUP), 'prices'),
    results(names.map((name, i) => price(i, name === JUMPER ? download.jumperPrice : 1 + i))),
  );
}

const GROUP_ROW = {
  groupId: GROUP,
  name: '<b>Odd</b> Names',
  abbreviation: 'ODD',
  isSupplemental: false,
  publishedOn: '2026-01-01T00:00:00',
  modifiedOn: '2026-01-28T20:05:12.113',
  categoryId: GAME,
};

function product(name: string, index: number) {
  return {
    productId: 99_000_000 + index,
    name,
    cleanName: name,
    imageUrl: `https://tcgplayer-cdn.tcgplayer.com/product/${index}" onerror="x_200w.jpg`,
    categoryId: GAME,
    groupId: GROUP,
    url: 'javascript:alert(1)',
    modifiedOn: '2026-01-28T20:05:12.113',
    imageCount: 1,
    presaleInfo: { isPresale: false, releasedOn: null, note: null },
    extendedData: [{ name: 'Number', displayName: 'Number', value: `${index + 1}/9` }],
  };
}

function price(index: number, marketPrice: number) {
  return {
    productId: 99_000_000 + index,
    lowPrice: null,
    midPrice: null,
    highPrice: null,
    marketPrice,
    directLowPrice: null,
    subTypeName: 'Normal',
  };
}

function results(rows: readonly object[]): string {
  return JSON.stringify({ totalItems: rows.length, success: true, errors: [], results: rows });
}
