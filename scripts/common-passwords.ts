import { readFileSync, writeFileSync } from 'node:fs';

/** Writes `data/common-passwords.txt` from the list of @zxcvbn-ts/language-common (MIT). */

const TARGET = new URL('../data/common-passwords.txt', import.meta.url);
/**
 * Of the ranked list: the first ones, and further down those that are long enough by themselves.
 */
const FIRST = 12_000;
const LONG = 10;
const LEAST_WORD = 4;

const NOTICE = [
  '# Common passwords, in lower case. From @zxcvbn-ts/language-common, under the MIT license:',
  '# Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., (c) 2021 @zxcvbn-ts.',
  '# Written by scripts/common-passwords.ts.',
];

const entry = import.meta.resolve('@zxcvbn-ts/language-common');
const list = new URL('../src/passwords.json', entry);
const ranked: string[] = JSON.parse(readFileSync(list, 'utf8'));
const words = ranked
  .filter((word, rank) => word.length >= LONG || (rank < FIRST && word.length >= LEAST_WORD))
  .map((word) => word.toLowerCase());
const lines = [...NOTICE, ...[...new Set(words)].sort()];
writeFileSync(TARGET, `${lines.join('\n')}\n`);
console.log(`${lines.length - NOTICE.length} common passwords`);
