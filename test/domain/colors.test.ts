import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  accentOf,
  type Color,
  contrast,
  GROUNDS,
  LEAST_CONTRAST,
  parseColor,
} from '../../src/domain/colors.ts';

const SCHEMES = ['light', 'dark'] as const;

describe('An accent color', () => {
  it('is readable, and so is text on it, for any chosen color', () => {
    const color = fc
      .integer({ min: 0, max: 0xffffff })
      .map((value): Color => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(color, fc.constantFrom(...SCHEMES), (chosen, scheme) => {
        const { accent, onAccent } = accentOf(chosen, scheme);
        assert.equal(parseColor(accent), accent);
        for (const ground of GROUNDS[scheme]) {
          assert.ok(contrast(accent, ground) >= LEAST_CONTRAST, `${accent} on ${ground}`);
        }
        assert.ok(contrast(onAccent, accent) >= LEAST_CONTRAST, `${onAccent} on ${accent}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('stays as it was chosen where it is readable', () => {
    assert.equal(accentOf('#8a1538', 'light').accent, '#8a1538');
    assert.equal(accentOf('#ffcc00', 'dark').accent, '#ffcc00');
    assert.notEqual(accentOf('#ffcc00', 'light').accent, '#ffcc00');
  });

  it('is compared with the grounds that the pages have', () => {
    const style = readFileSync('web/src/ui/style.css', 'utf8');
    for (const [index, name] of ['ground', 'raised'].entries()) {
      const [light, dark] = SCHEMES.map((scheme) => GROUNDS[scheme][index]);
      assert.ok(style.includes(`--${name}: light-dark(${light}, ${dark});`), name);
    }
  });

  it('is written #rrggbb', () => {
    assert.equal(parseColor('#AbCdEf'), '#abcdef');
    for (const text of ['', 'red', '#fff', '#12345g', '#1234567', '#123456;}']) {
      assert.equal(parseColor(text), undefined, text);
    }
  });

  it('has the contrast that WCAG defines', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  });
});
