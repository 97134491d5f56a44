/** Where the sources in the registry are downloaded from. No request is made here. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Remote, RemoteFile } from '../../src/sources/contract/source.ts';
import { JUSTTCG_REMOTE } from '../../src/sources/justtcg/read.ts';
import { FEED_SOURCES } from '../../src/sources/registry.ts';
import { SCRYFALL_REMOTE } from '../../src/sources/scryfall/read.ts';
import { crawlPages } from '../support/remotes.ts';

/** Returns the files that a source publishes at fixed addresses. */
function filesOf({ content }: Remote): RemoteFile[] {
  if (content.kind !== 'files') return [];
  return [content.main, ...Object.values(content.further ?? {})];
}

for (const { name, remote } of FEED_SOURCES) {
  if (!remote) continue;
  test(`${name} has a pause between requests and an https address`, () => {
    assert.match(remote.base, /^https:\/\/[^?]+[^/]$/);
    assert.ok(remote.pauseMs >= 100);
    for (const { path, saveAs, maxBytes } of filesOf(remote)) {
      assert.ok(URL.canParse(path, `${remote.base}/`), path);
      assert.match(saveAs, /^[\w-]+\.(json|csv)$/);
      assert.ok(maxBytes > 0);
    }
  });

  test(`${name} is not pulled again and again`, () => {
    const tellsNews = remote.content.kind === 'listing' || !remote.everyHours;
    // A day less some hours: the next sync may start a little earlier than the last one did.
    assert.ok(tellsNews || (remote.everyHours ?? 0) === 20);
    if (remote.content.kind === 'pages') assert.ok(remote.everyHours);
  });
}

describe('the listing of Scryfall', () => {
  const find = (listing: unknown) => {
    const { content } = SCRYFALL_REMOTE;
    if (content.kind !== 'listing') assert.fail('not a listing');
    return content.parse(Buffer.from(JSON.stringify(listing)));
  };
  const entry = {
    object: 'bulk_data',
    type: 'default_cards',
    updated_at: '2026-01-28T22:08:37.123+00:00',
    download_uri: 'https://data.scryfall.io/default-cards/default-cards-20260128220837.json',
    size: 524_288_000,
  };

  test('names the file of all cards and when it was made', () => {
    const { version, observedAt, main } = find({ data: [{ ...entry, type: 'rulings' }, entry] });
    assert.equal(version, entry.updated_at);
    assert.equal(observedAt, Date.parse('2026-01-28T22:08:37.123Z'));
    assert.deepEqual([main.path, main.gzip], [entry.download_uri, true]);
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['is something else', { error: 'moved' }, /^Scryfall does not answer as it used to: /],
    [
      'lacks the file',
      { data: [{ ...entry, type: 'oracle_cards' }] },
      /no longer lists its default/,
    ],
    ['lacks its date', { data: [{ ...entry, updated_at: 'soon' }] }, /no longer lists its default/],
  ];
  for (const [what, listing, message] of bad) {
    test(`is refused when it ${what}`, () => {
      assert.throws(() => find(listing), { name: 'OperatorError', message });
    });
  }

  test('is refused when it is not JSON', () => {
    const { content } = SCRYFALL_REMOTE;
    if (content.kind !== 'listing') assert.fail('not a listing');
    assert.throws(() => content.parse(Buffer.from('<html>')), { name: 'OperatorError' });
  });
});

describe('the pages of JustTCG', () => {
  const cards = (count: number, name: string) => {
    return Array.from({ length: count }, (_, index) => ({ name: `${name} ${index}` }));
  };

  test('are requested for known games, until one is not full', () => {
    const kept = crawlPages(JUSTTCG_REMOTE, {
      games: { data: [{ id: 'pokemon' }, { id: 'marbles' }, { id: 'disney-lorcana' }] },
      'cards?game=pokemon&limit=100&offset=0': { data: cards(100, 'a') },
      'cards?game=pokemon&limit=100&offset=100': { data: cards(7, 'b') },
      'cards?game=disney-lorcana&limit=100&offset=0': { data: [] },
    });
    assert.deepEqual(kept, [...cards(100, 'a'), ...cards(7, 'b')]);
  });
});
