import type { Remote } from '../contract/remote.ts';

const MEGABYTE = 1024 * 1024;

/** YGOPRODeck asks its users to store responses rather than to repeat requests. */
export const YGOPRODECK_REMOTE: Remote = {
  base: 'https://db.ygoprodeck.com',
  pauseMs: 100,
  everyHours: 20,
  content: {
    kind: 'files',
    main: {
      path: 'api/v7/cardinfo.php',
      saveAs: 'cardinfo.json',
      maxBytes: 300 * MEGABYTE,
      gzip: true,
    },
  },
};
