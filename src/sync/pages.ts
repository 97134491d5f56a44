import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../domain/errors.ts';
import type { RemotePages } from '../sources/contract/remote.ts';
import type { DownloadedFile } from './download.ts';

/** A source with more pages than this repeats itself. */
const MAX_PAGES = 5000;

/**
 * Requests one page after the other, and gathers their items in one file, `{"data":[…]}`. `request`
 * returns the parsed page of a path.
 *
 * @throws OperatorError when a page cannot be had or is not what it should be.
 */
export async function gatherPages(
  pages: RemotePages,
  folder: string,
  request: (path: string) => Promise<unknown>,
): Promise<DownloadedFile> {
  const path = join(folder, pages.saveAs);
  const file = await open(path, 'w');
  const hash = createHash('sha256');
  const write = async (text: string) => {
    hash.update(text);
    await file.write(text);
  };
  try {
    let items = 0;
    let kept: string[] = [];
    const walk = pages.crawl((item) => kept.push(JSON.stringify(item)));
    let step = walk.next();
    for (let count = 1; !step.done; count += 1) {
      if (count > MAX_PAGES) throw new OperatorError(`${pages.saveAs}: the pages do not end.`);
      step = walk.next(await request(step.value));
      for (const item of kept) await write(`${items++ === 0 ? '{"data":[' : ','}\n${item}`);
      kept = [];
    }
    if (items === 0) throw new OperatorError(`${pages.saveAs}: there is nothing on the pages.`);
    await write('\n]}\n');
  } finally {
    await file.close();
  }
  return { path, digest: hash.digest('hex') };
}
