import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Prices {
  results: Record<string, number | string | null>[];
}

const FIGURES = ['lowPrice', 'midPrice', 'highPrice', 'marketPrice'];

interface Groups {
  results: { groupId: number }[];
}

/** Copies a TCGCSV tree, for {@link changeTree} to change, without groups that lack files. */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const path of globSync('tcgplayer/*/groups', { cwd: to })) {
    const file = join(to, path);
    const groups = JSON.parse(readFileSync(file, 'utf8')) as Groups;
    const hasFiles = ({ groupId }: { groupId: number }) => {
      const folder = join(dirname(file), String(groupId));
      return ['products', 'prices'].every((name) => existsSync(join(folder, name)));
    };
    groups.results = groups.results.filter(hasFiles);
    writeFileSync(file, JSON.stringify(groups));
  }
}

/** Updates a tree: every price changes by a few per cent, and `last-updated.txt` to a moment. */
export function changeTree(folder: string, moment: Date): void {
  let seed = Math.floor(moment.getTime() / 1000) % 9973;
  for (const path of globSync('tcgplayer/*/*/prices', { cwd: folder })) {
    const file = join(folder, path);
    const prices = JSON.parse(readFileSync(file, 'utf8')) as Prices;
    for (const price of prices.results ?? []) {
      seed = (seed * 7919 + 1) % 9973;
      const factor = 0.97 + (0.06 * seed) / 9973;
      for (const figure of FIGURES) {
        const amount = price[figure];
        if (typeof amount === 'number') price[figure] = Math.round(amount * factor * 100) / 100;
      }
    }
    writeFileSync(file, JSON.stringify(prices));
  }
  writeFileSync(join(folder, 'last-updated.txt'), moment.toISOString());
}
