/**
 * Writes THIRD_PARTY_NOTICES.txt, the licences of the packages that the program needs at run time:
 * `node scripts/notices.ts`. The builds of the pages write web/dist/third-party-notices.txt, for
 * the packages in their bundle, and web/dist/server/third-party-notices.txt, for the packages that
 * render them on the server.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../', import.meta.url).pathname;

/** A package with its licence. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  readonly text: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/**
 * Reads the licences of all installed packages that the program needs, by name.
 * @throws Error for a package whose licence text is unknown.
 */
export function runtimeNotices(): Notice[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(ROOT, path)))
    .map(([path]) => noticeOf(join(ROOT, path)))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function noticeOf(folder: string): Notice {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license = 'unknown' } = manifest;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) texts.push(standardText(manifest));
  return { name, version, license, text: texts.join('\n\n') };
}

/** The licence text of a package that only names its licence. */
function standardText({ name, license, author }: Manifest): string {
  if (license !== 'MIT') throw new Error(`${name} has no licence text; add it by hand`);
  const holder = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  return `MIT License\n\nCopyright (c) ${holder.replace(/ <.*/, '')}\n\n${MIT}`;
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The file with all notices. */
export function noticesText(notices: readonly Notice[]): string {
  const head =
    'Cardprice needs these packages to run. npm installs them with it. The packages bundled with\n' +
    'its pages are listed in web/dist/third-party-notices.txt, and those that render the pages on\n' +
    'the server in web/dist/server/third-party-notices.txt.\n';
  const sections = notices.map(({ name, version, license, text }) => {
    return `\n${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
  });
  return head + sections.join('');
}

if (import.meta.main) {
  writeFileSync(join(ROOT, 'THIRD_PARTY_NOTICES.txt'), noticesText(runtimeNotices()));
}
