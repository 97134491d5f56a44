import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeapBound, LullCompactor } from '../../src/http/process.ts';
import { eventually } from '../support/cli.ts';

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

/** A heap with so many megabytes of live objects, whose collections are counted. */
class Heap {
  live = 50;
  garbage = 0;
  collections = 0;
  readonly bound = new HeapBound({
    used: () => (this.live + this.garbage) * 2 ** 20,
    collect: () => {
      this.garbage = 0;
      this.collections += 1;
    },
  });

  /** Grows by some megabytes of garbage; returns how many collections there have been. */
  grow(megabytes: number): number {
    this.garbage += megabytes;
    this.bound.check();
    return this.collections;
  }
}

describe('The heap while a publication is loaded', () => {
  it('is collected when its garbage outgrows what V8 lets grow by itself', () => {
    const heap = new Heap();
    assert.deepEqual([heap.grow(0), heap.grow(20), heap.grow(10), heap.grow(20)], [0, 0, 1, 1]);
  });

  it('is not collected again and again when more of it lives', () => {
    const heap = new Heap();
    heap.grow(0);
    heap.live = 150;
    assert.deepEqual([heap.grow(0), heap.grow(30), heap.grow(30)], [1, 1, 1]);
  });

  it('is checked until the work is done, also when that fails', async () => {
    const heap = new Heap();
    const work = async () => {
      heap.garbage = 60;
      await eventually(() => heap.collections === 1);
      throw new Error('a failed load');
    };
    await assert.rejects(heap.bound.during(work), /a failed load/);
    heap.garbage = 60;
    await sleep(60);
    assert.equal(heap.collections, 1);
  });
});
