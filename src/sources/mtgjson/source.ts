import type { FeedSource } from '../contract/source.ts';
import { openMtgjson } from './read.ts';
import { MTGJSON_REMOTE } from './remote.ts';

export const MTGJSON: FeedSource = {
  name: 'mtgjson',
  summary: 'Prices of Magic at three markets, of today or of 90 days.',
  takes: 'AllPrices.json or AllPricesToday.json, plain or packed with gzip.',
  files: { identifiers: "MTGJSON's AllIdentifiers.json, which tells whose prices they are." },
  example: 'AllPricesToday.json.gz --identifiers AllIdentifiers.json.gz',
  open: openMtgjson,
  remote: MTGJSON_REMOTE,
};
