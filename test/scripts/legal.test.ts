import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { noticesText, runtimeNotices } from '../../scripts/notices.ts';
import { BUNDLE_NOTICES, bundledPackages, makeSbom } from '../../scripts/sbom.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Licences that ask for their notices and nothing more of who passes a program on. */
const PERMISSIVE =
  /^\(?(MIT|MIT-0|0BSD|ISC|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|MIT OR CC0-1\.0)\)?$/;

describe('The notices', () => {
  const notices = runtimeNotices();

  it('name every package that the program needs, with the text of its licence', () => {
    const named = new Map(notices.map((notice) => [notice.name, notice]));
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      assert.equal(named.get(name)?.version, version, name);
    }
    assert.ok(notices.length > Object.keys(manifest.dependencies).length);
    const text = noticesText(notices);
    for (const { name, license, text: own } of notices) {
      assert.match(own, /copyright|permission|license/i, name);
      assert.ok(own.length > 400, `${name}: ${own}`);
      assert.match(license, PERMISSIVE, `${name}: another licence needs a decision`);
      assert.ok(text.includes(own), name);
    }
    assert.ok(!named.has('7z-wasm'), 'LGPL packages are installed only on demand');
  });

  it('of the pages name what they are bundled with', () => {
    const bundled = bundledPackages();
    for (const name of ['preact', 'preact-iso', 'uqr', 'preact-render-to-string']) {
      assert.ok(
        bundled.some((one) => one.startsWith(`${name}@`)),
        name,
      );
    }
    for (const file of BUNDLE_NOTICES) {
      const texts = readFileSync(file, 'utf8').split(/^## /m).slice(1);
      assert.ok(texts.length >= 4, file);
      for (const text of texts)
        assert.match(text, /Permission is hereby granted/, text.slice(0, 40));
    }
    const scripts = readdirSync('web/dist/assets').filter((file) => file.endsWith('.js'));
    const codes = scripts.map((script) => readFileSync(`web/dist/assets/${script}`, 'utf8'));
    // What only the code of Preact and of uqr says.
    for (const own of [/\.__k\b/, /Data too long/]) {
      const containing = codes.filter((code) => own.test(code));
      assert.ok(containing.length > 0, String(own));
      for (const code of containing) assert.match(code, /\/third-party-notices\.txt/);
    }
    const rendering = readFileSync('web/dist/server/server.js', 'utf8');
    assert.match(rendering, /\.\/third-party-notices\.txt/);
  });
});

it('The list of components has what runs and what the pages contain, and nothing else', () => {
  const { components, metadata, dependencies } = makeSbom();
  const listed = components.map((one) => one['bom-ref']);
  const needed = runtimeNotices().map(({ name, version }) => `${name}@${version}`);
  for (const one of [...needed, ...bundledPackages()]) assert.ok(listed.includes(one), one);
  assert.ok(!listed.some((one) => /^(7z-wasm|typescript|vite|fast-check)@/.test(one)));
  assert.equal(metadata.component.name, 'cardprice');
  const refs = new Set([metadata.component['bom-ref'], ...listed]);
  assert.ok(dependencies.every(({ dependsOn }) => dependsOn.every((one) => refs.has(one))));
});
