import type { Remote, RemoteFile } from '../contract/remote.ts';

const GIGABYTE = 1024 * 1024 * 1024;

/** The prices of today. AllPrices, with the last 90 days, is imported by hand. */
export const MTGJSON_REMOTE: Remote = {
  base: 'https://mtgjson.com/api/v5',
  pauseMs: 100,
  content: {
    kind: 'files',
    main: packed('AllPricesToday.json'),
    further: { identifiers: packed('AllIdentifiers.json') },
  },
};

function packed(name: string): RemoteFile {
  return { path: `${name}.gz`, saveAs: name, maxBytes: 2 * GIGABYTE, gzip: true };
}
