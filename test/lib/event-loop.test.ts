import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Turns } from '../../src/lib/event-loop.ts';

describe('turns', () => {
  it('are given to one caller in each turn of the event loop, in their order', async () => {
    const turns = new Turns();
    const given: (readonly [caller: string, turn: number])[] = [];
    let turn = 0;
    const count = () => {
      turn++;
      if (given.length < 4) setImmediate(count);
    };
    setImmediate(count);
    const take = async (caller: string) => {
      await turns.next();
      given.push([caller, turn]);
    };
    await Promise.all([take('a'), take('b'), take('c')]);
    await take('d');
    assert.deepEqual(
      given.map(([caller]) => caller),
      ['a', 'b', 'c', 'd'],
    );
    assert.equal(new Set(given.map(([, at]) => at)).size, 4);
  });
});
