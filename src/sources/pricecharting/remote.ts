import type { Remote } from '../contract/remote.ts';

const MEGABYTE = 1024 * 1024;

/** Subscribers download it with their API key. PriceCharting makes the file once a day. */
export const PRICECHARTING_REMOTE: Remote = {
  base: 'https://www.pricecharting.com',
  pauseMs: 1000,
  everyHours: 20,
  key: { in: 'query', name: 't', required: true },
  content: {
    kind: 'files',
    main: {
      path: 'price-guide/download-custom?category=pokemon-cards',
      saveAs: 'price-guide.csv',
      maxBytes: 300 * MEGABYTE,
      gzip: true,
    },
  },
};
