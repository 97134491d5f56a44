import type { Remote, RemoteFile } from '../contract/remote.ts';

const MEGABYTE = 1024 * 1024;

/** Magic, whose product ids Scryfall gives. Files of other games are imported by hand. */
const GAME = 1;

/** Cardmarket makes the files once a day. */
export const CARDMARKET_REMOTE: Remote = {
  base: 'https://downloads.s3.cardmarket.com/productCatalog',
  pauseMs: 100,
  content: {
    kind: 'files',
    main: file('priceGuide', `price_guide_${GAME}.json`),
    further: { products: file('productList', `products_singles_${GAME}.json`) },
  },
};

function file(folder: string, name: string): RemoteFile {
  return { path: `${folder}/${name}`, saveAs: name, maxBytes: 500 * MEGABYTE, gzip: true };
}
