import type { KyselyPlugin } from 'kysely';
import type { Store } from '../../src/store/connect.ts';

/** Simulates a killed process, in tests that run its code in their own process. */
export class Killed extends Error {}

/** The same store for a process that is killed at the start of its transaction `last + 1`. */
export function killedAfter(store: Store, last: number): Store {
  let begun = 0;
  const db = new Proxy(store.db, {
    get(target, name) {
      if (name !== 'transaction') {
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      }
      return () => {
        begun += 1;
        if (begun > last) throw new Killed();
        return target.transaction();
      };
    },
  });
  return { ...store, db };
}

/** The same store, except that its snapshots call `step` after each statement. */
export function withSteps(store: Store, step: () => Promise<void>): Store {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await step();
      return result;
    },
  };
  const snapshot: Store['engine']['snapshot'] = (db, read) => {
    return store.engine.snapshot(db, (opened) => read(opened.withPlugin(plugin)));
  };
  return { ...store, engine: { ...store.engine, snapshot } };
}
