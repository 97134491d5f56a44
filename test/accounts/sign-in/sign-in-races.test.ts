import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { RESET_LINK_MS } from '../../../src/accounts/sign-in/self-service.ts';
import type { Session } from '../../../src/accounts/sign-in/sessions.ts';
import { forEachEngine } from '../../support/engines.ts';
import { ADDRESS, admitted, CLIENT, visit, type Wiring, wire } from '../fixtures.ts';

/** How often each race is run; without the version of the credentials, most of them were lost. */
const RACES = 15;
const ANN = 'ann@shop.example';

/** Something that ends every session of an account. */
interface Race {
  /** Ends them, and sets the password `next` or makes that signing in is refused. */
  end(wiring: Wiring, owner: Session, current: string, next: string): Promise<unknown>;
  /** Makes signing in work again; returns the password. */
  after(wiring: Wiring, current: string, next: string): Promise<string>;
}

const RACES_BY_NAME: Readonly<Record<string, Race>> = {
  'the password is changed': {
    end({ selfService }, owner, current, next) {
      return selfService.changePassword(owner, { current, next, address: ADDRESS });
    },
    after: async (_wiring, _current, next) => next,
  },
  'the password is reset': {
    async end({ selfService }, _owner, _current, next) {
      const { token } = await selfService.resetToken(ANN, RESET_LINK_MS);
      return selfService.reset(token, next, ADDRESS);
    },
    after: async (_wiring, _current, next) => next,
  },
  'the account is disabled, and enabled again': {
    async end({ accounts }) {
      await pause(15);
      return accounts.disable(ANN);
    },
    async after({ accounts }, current) {
      await accounts.enable(ANN);
      return current;
    },
  },
};

forEachEngine((_label, open) => {
  for (const [name, race] of Object.entries(RACES_BY_NAME)) {
    it(`lets no session of an older sign-in survive when ${name}`, async () => {
      const store = await open();
      const wiring = wire(store);
      const others = wire(await store.reopen());
      let owner = await visit(wiring);
      let password = 'correct horse battery';
      for (let turn = 0; turn < RACES; turn += 1) {
        const next = `battery staple ${turn}`;
        const old = await signInWhile(others, password, race.end(wiring, owner, password, next));
        password = await race.after(wiring, password, next);
        const alive = await Promise.all(old.map((token) => wiring.sessions.identify(token)));
        assert.deepEqual(alive.filter(Boolean), [], `of ${old.length} in turn ${turn}`);
        owner = await signIn(wiring, password, ADDRESS).then(async (token) => {
          return (await wiring.sessions.identify(token)) ?? assert.fail();
        });
      }
    });
  }
});

/** Signs in twice at a time until `change` is made; returns the tokens of the good ones. */
async function signInWhile(
  wiring: Wiring,
  password: string,
  change: Promise<unknown>,
): Promise<string[]> {
  const state = { isChanged: false };
  const signInAgain = async (address: string): Promise<string[]> => {
    const tokens: string[] = [];
    while (!state.isChanged) {
      await signIn(wiring, password, address).then(
        (token) => tokens.push(token),
        () => pause(1),
      );
    }
    return tokens;
  };
  const loops = [signInAgain('203.0.113.1'), signInAgain('198.51.100.2')];
  await change.finally(() => {
    state.isChanged = true;
  });
  return (await Promise.all(loops)).flat();
}

async function signIn(wiring: Wiring, password: string, address: string): Promise<string> {
  const account = await wiring.selfService.signIn({ email: ANN, password, address });
  return wiring.sessions.open(admitted(account), CLIENT);
}
