import type { FeedSource } from '../contract/source.ts';
import { openFabCube } from './read.ts';
import { FAB_CUBE_REMOTE } from './remote.ts';

export const FAB_CUBE: FeedSource = {
  name: 'fab-cube',
  summary: 'Cards of Flesh and Blood with their printings and pictures, without prices.',
  takes: 'The folder csvs/english of the-fab-cube, or card-printing.csv in it.',
  files: {
    cards: 'card.csv, when it is elsewhere.',
    sets: 'set.csv, when it is elsewhere.',
    'set-printings': 'set-printing.csv, when it is elsewhere.',
  },
  example: './csvs/english',
  open: openFabCube,
  remote: FAB_CUBE_REMOTE,
};
