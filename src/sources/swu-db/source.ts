import type { FeedSource } from '../contract/source.ts';
import { openSwuDb } from './read.ts';
import { SWU_DB_REMOTE } from './remote.ts';

export const SWU_DB: FeedSource = {
  name: 'swu-db',
  summary: 'Cards of Star Wars: Unlimited with prices of TCGplayer.',
  takes: "Sets of cards of SWU-DB's API, a file or a folder.",
  example: './swu-db',
  open: openSwuDb,
  remote: SWU_DB_REMOTE,
};
