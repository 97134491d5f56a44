import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LullCompactor } from '../../src/http/process.ts';

/** A process of 200 MB whose compactions are counted; each gives all back. */
class Process {
  megabytes = 200;
  share = 0;
  compactions = 0;
  readonly compactor = new LullCompactor({
    resident: () => this.megabytes,
    busy: () => this.share,
    compact: () => {
      this.compactions += 1;
      this.megabytes = 200;
    },
  });

  pass(seconds: number): number {
    for (let second = 0; second < seconds; second += 1) this.compactor.tick();
    return this.compactions;
  }
}

describe('The memory of publications', () => {
  it('is given back after some idle seconds, once', () => {
    const process = new Process();
    process.megabytes = 300;
    assert.deepEqual([process.pass(2), process.pass(1), process.pass(600)], [0, 1, 1]);
  });

  it('is kept while requests are answered', () => {
    const process = new Process();
    process.megabytes = 300;
    process.share = 0.2;
    assert.equal(process.pass(600), 0);
    process.share = 0;
    assert.equal(process.pass(3), 1);
  });

  it('is kept while there is little of it', () => {
    const process = new Process();
    process.megabytes = 230;
    assert.equal(process.pass(600), 0);
  });
});
