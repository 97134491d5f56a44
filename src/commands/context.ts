import {
  type Config,
  type Flags,
  readConfig,
  readTexts,
  type SettingText,
} from '../config/config.ts';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { displayLocation } from '../domain/location.ts';
import { openCopy, type StoreCopy } from '../store/backup/copy.ts';
import { isMissing, openStore, type Store } from '../store/connect.ts';

export interface StoreAccess {
  /** Whether a SQLite file that is missing is made. */
  readonly mayCreate?: boolean;
}

/** What the program passes to every command. */
export interface CommandContext {
  /** Of this program. */
  readonly version: string;
  /** The time by the clock of the database once it was opened, by that of this machine before. */
  readonly clock: () => Millis;
  /** The flags that every command takes, once the command line was parsed. */
  flags(): Flags;
  /** The settings; `flags` are those of the command itself. */
  config(flags?: Flags): Config;
  /** The settings as they were written. */
  settingTexts(flags?: Flags): readonly SettingText[];
  /**
   * Opens the database of the settings.
   *
   * @throws OperatorError when its file is missing, unless that may be made. An empty database where
   *   the service has another one would look like lost data, and be backed up in its place.
   */
  openStore(access?: StoreAccess): Promise<Store>;
  /** Like `openStore`; runs `work`, and closes the database in any case. */
  withStore<Result>(work: (store: Store) => Promise<Result>, access?: StoreAccess): Promise<Result>;
  /** Like `withStore`, with a private copy of the database, which is removed in any case. */
  withCopy<Result>(work: (store: StoreCopy) => Promise<Result>): Promise<Result>;
}

/** `globalFlags` is called when a command runs, after the command line was parsed. */
export function createContext(version: string, globalFlags: () => Flags): CommandContext {
  const config = (flags: Flags = {}) => readConfig({ ...globalFlags(), ...flags });
  let clock: () => Millis = Date.now;
  const goingBy = <Opened extends Store>(store: Opened): Opened => {
    clock = store.clock;
    return store;
  };
  const open = async ({ mayCreate = false }: StoreAccess = {}) => {
    const { database, migrate: isMigrating } = config();
    if (!mayCreate) requireFile(database);
    return goingBy(await openStore(database, { isMigrating }));
  };
  return {
    version,
    clock: () => clock(),
    flags: globalFlags,
    config,
    settingTexts: (flags = {}) => readTexts({ ...globalFlags(), ...flags }),
    openStore: open,
    async withStore(work, access) {
      const store = await open(access);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    async withCopy(work) {
      const copy = goingBy(await openCopy(config().database));
      try {
        return await work(copy);
      } finally {
        await copy.close();
      }
    },
  };
}

function requireFile(location: string): void {
  if (!isMissing(location)) return;
  throw new OperatorError(
    `There is no database ${displayLocation(location)}. See CARDPRICE_DATABASE in ` +
      '`cardprice config`; `cardprice migrate` makes an empty one, `cardprice start` one to try.',
  );
}
