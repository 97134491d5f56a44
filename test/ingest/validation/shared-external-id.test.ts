import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedExternalIds } from '../../../src/ingest/validation/index.ts';
import type { CardReference } from '../../../src/sources/contract/feed.ts';

/** A card of the feed. */
interface Item {
  readonly name: string;
  readonly number?: string | null;
  readonly ids?: CardReference['externalIds'];
}

let count = 0;

function reference({ name, number = null, ids = { tcgplayer: '500' } }: Item): CardReference {
  count += 1;
  return {
    externalId: `k${count}`,
    game: 'pokemon',
    name,
    number,
    externalIds: ids,
    printings: null,
    variant: null,
    setCode: null,
    setName: null,
    rarity: null,
    image: null,
    releaseDate: null,
  };
}

const PIKACHU = { id: 1, name: 'Pikachu', number: 'SWSH039' };
const MEW = { id: 2, name: 'Mew', number: 'SWSH040' };

/** Returns the findings of references that all claim one product, which is a card of ours. */
function verdicts(items: readonly Item[], card = PIKACHU): (string | null)[] {
  const shared = new SharedExternalIds(() => card.id);
  const references = items.map(reference);
  const claimed = references.map((one) => shared.claim(one, card));
  return claimed.map((verdict, index) => {
    const one = references[index];
    const finding = verdict === 'doubtful' && one ? shared.decide(one, card) : verdict;
    return typeof finding === 'object' ? finding.rule : null;
  });
}

describe('references of one feed that claim one product', () => {
  it('are quarantined unless they are called what our card is called', () => {
    const promos = [{ name: 'Pikachu' }, { name: 'Eevee' }, { name: 'Snorlax' }];
    assert.deepEqual(verdicts(promos), [null, 'shared-external-id', 'shared-external-id']);
    assert.deepEqual(verdicts(promos.toReversed()), [
      'shared-external-id',
      'shared-external-id',
      null,
    ]);
  });

  it('are all quarantined when none is called that', () => {
    const promos = [{ name: 'Eevee' }, { name: 'Snorlax' }];
    assert.deepEqual(verdicts(promos), ['shared-external-id', 'shared-external-id']);
  });

  it('are distinguished by their number when they share a name', () => {
    const promos = [
      { name: 'Pikachu', number: 'SWSH020' },
      { name: 'Pikachu', number: 'SWSH039' },
      { name: 'Pikachu', number: 'SM86' },
    ];
    assert.deepEqual(verdicts(promos), ['shared-external-id', null, 'shared-external-id']);
  });

  it('may be the finishes of one card', () => {
    const finishes = [
      { name: 'Pikachu', number: '39' },
      { name: 'Pikachu (Cosmos Holo)', number: '039' },
      { name: 'PIKACHU' },
    ];
    assert.deepEqual(verdicts(finishes, { ...PIKACHU, number: '39/102' }), [null, null, null]);
  });

  it('may have another name than our card if no other reference claims it', () => {
    assert.deepEqual(verdicts([{ name: 'Pika Pika' }]), [null]);
    assert.deepEqual(verdicts([{ name: '', ids: { cardmarket: '77' } }]), [null]);
  });

  it('are quarantined when another card of ours has the product', () => {
    const shared = new SharedExternalIds((_, id) => (id === '500' ? PIKACHU.id : undefined));
    const mew = reference({ name: 'Mew', number: 'SWSH040' });
    assert.deepEqual(shared.claim(mew, MEW), {
      rule: 'shared-external-id',
      detail: 'Mew SWSH040 claims the tcgplayer id 500, which belongs to another card.',
    });
    assert.equal(shared.claim(reference({ name: 'Pikachu' }), PIKACHU), 'sound');
  });

  it('leave the product to the first of them when no card of ours has it', () => {
    const shared = new SharedExternalIds(() => undefined);
    assert.equal(shared.claim(reference({ name: 'Pikachu' }), PIKACHU), 'sound');
    const second = shared.claim(reference({ name: 'Mew', number: 'SWSH040' }), MEW);
    assert.deepEqual(second, {
      rule: 'shared-external-id',
      detail: 'Mew SWSH040 and another card of its source both claim the tcgplayer id 500.',
    });
  });

  it('may be called by the front face of a card alone', () => {
    const card = { id: 3, name: 'Delver of Secrets // Insectile Aberration', number: '51' };
    const faces = [{ name: 'Delver of Secrets' }, { name: 'Insectile Aberration' }];
    assert.deepEqual(verdicts(faces, card), [null, 'shared-external-id']);
  });

  it('do not contest an id that is the source’s own', () => {
    const shared = new SharedExternalIds(() => undefined);
    const own = reference({ name: 'Pikachu', ids: {} });
    const again = { ...own, name: 'Pikachu VMAX', ids: { tcgplayer: own.externalId } };
    assert.equal(
      shared.claim({ ...own, externalIds: { tcgplayer: own.externalId } }, PIKACHU),
      'sound',
    );
    assert.equal(shared.claim(again, { ...PIKACHU, id: 9 }), 'doubtful');
  });
});
