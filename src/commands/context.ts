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
  readonly clock: () => Millis;
  /** The flags that every command takes, once the command line was parsed. */
  flags(): Flags;
  /** The settings; `flags` are those of the command itself. */
  config(flags?: Flags): Config;
  /** The settings as they were written. */
  settingTexts(flags?: Flags): readonly SettingText[];
  /** Opens the database of the settings, runs `work`, and closes the database in any case. */
  withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result>;
  /** Like `withStore`, with a private copy of the database, which is removed in any case. */
  withCopy<Result>(work: (store: StoreCopy) => Promise<Result>): Promise<Result>;
}

/** `globalFlags` is called when a command runs, after the command line was parsed. */
export function createContext(version: string, globalFlags: () => Flags): CommandContext {
  const config = (flags: Flags = {}) => readConfig({ ...globalFlags(), ...flags });
  return {
    version,
    clock: Date.now,
    flags: globalFlags,
    config,
    settingTexts: (flags = {}) => readTexts({ ...globalFlags(), ...flags }),
    async withStore(work) {
      const store = await openStore(config().database);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    async withCopy(work) {
      const copy = await openCopy(config().database);
      try {
        return await work(copy);
      } finally {
        await copy.close();
      }
    },
  };
}
