import type { FeedSource } from '../contract/source.ts';
import { openJustTcg } from './read.ts';
import { JUSTTCG_REMOTE } from './remote.ts';

export const JUSTTCG: FeedSource = {
  name: 'justtcg',
  summary: 'Prices by condition and printing, of every game.',
  takes: "Answers of JustTCG's API: one, several in a list, or one a line.",
  example: 'cards.json',
  open: openJustTcg,
  remote: JUSTTCG_REMOTE,
};
