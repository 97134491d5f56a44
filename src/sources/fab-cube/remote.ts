import type { Remote, RemoteFile } from '../contract/remote.ts';
import { TABLES } from './read.ts';

const MAX_BYTES = 200 * 1024 * 1024;

/** The English tables in the project's repository. */
export const FAB_CUBE_REMOTE: Remote = {
  base: 'https://raw.githubusercontent.com/the-fab-cube/flesh-and-blood-cards',
  pauseMs: 100,
  content: {
    kind: 'files',
    main: table('card-printing.csv'),
    further: Object.fromEntries(
      Object.entries(TABLES).map(([name, file]) => [name, table(file)] as const),
    ),
  },
};

function table(name: string): RemoteFile {
  return { path: `develop/csvs/english/${name}`, saveAs: name, maxBytes: MAX_BYTES };
}
