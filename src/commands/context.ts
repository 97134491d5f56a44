import {
  type Config,
  type Flags,
  readConfig,
  readTexts,
  type SettingText,
} from '../config/config.ts';
import type { Millis } from '../domain/day.ts';
import { openStore, type Store } from '../store/connect.ts';
import { openCopy, type StoreCopy } from '../store/copy.ts';

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
  /** Opens the database of the settings. */
  openStore(): Promise<Store>;
  /** Opens the database of the settings, runs `work`, and closes the database in any case. */
  withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result>;
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
  const open = async () => {
    const { database, migrate: isMigrating } = config();
    return goingBy(await openStore(database, { isMigrating }));
  };
  return {
    version,
    clock: () => clock(),
    flags: globalFlags,
    config,
    settingTexts: (flags = {}) => readTexts({ ...globalFlags(), ...flags }),
    openStore: open,
    async withStore(work) {
      const store = await open();
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
