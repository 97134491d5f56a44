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
  /** Whether to create a missing SQLite file. */
  readonly mayCreate?: boolean;
}

/** The values that the program passes to every command. */
export interface CommandContext {
  /** The version of this program. */
  readonly version: string;
  /** The clock of the database once it is open; until then, the clock of this machine. */
  readonly clock: () => Millis;
  /** The flags that every command takes, once the command line is parsed. */
  flags(): Flags;
  /** The settings. `flags` are the flags of the command itself. */
  config(flags?: Flags): Config;
  /** The settings as the operator wrote them. */
  settingTexts(flags?: Flags): readonly SettingText[];
  /**
   * Opens the configured database.
   *
   * @throws OperatorError if its file is missing, unless `mayCreate` is set. With a wrong path, a
   *   new empty database would look like lost data, and backups would copy it instead.
   */
  openStore(access?: StoreAccess): Promise<Store>;
  /** Opens the database like `openStore`, runs `work`, and always closes the database. */
  withStore<Result>(work: (store: Store) => Promise<Result>, access?: StoreAccess): Promise<Result>;
  /** Like `withStore`, with a private copy of the database, which is always removed. */
  withCopy<Result>(work: (store: StoreCopy) => Promise<Result>): Promise<Result>;
}

/** `globalFlags` is called when a command runs, after the command line is parsed. */
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
    `There is no database ${displayLocation(location)}. Check CARDPRICE_DATABASE with ` +
      '`cardprice config`. `cardprice migrate` makes an empty database, `cardprice start` a demo.',
  );
}
