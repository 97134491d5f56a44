import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  createTotpSecret,
  matchTotpStep,
  totpCode,
  totpUri,
} from '../../../src/accounts/sign-in/codes.ts';

/** `12345678901234567890` in Base32, the secret of the examples of RFC 6238. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** Seconds and the last six digits of the examples of RFC 6238, appendix B, for SHA-1. */
const EXAMPLES = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

const NOW = Date.UTC(2026, 0, 28, 12);
const STEP = 30_000;

describe('A code of an authenticator app', () => {
  it('is that of RFC 6238', () => {
    for (const [seconds, code] of EXAMPLES) assert.equal(totpCode(SECRET, seconds * 1000), code);
  });

  it('is accepted a step before and after its own, and no further away', () => {
    const code = totpCode(SECRET, NOW);
    const step = NOW / STEP;
    for (const skew of [-STEP, 0, STEP, 2 * STEP - 1]) {
      assert.equal(matchTotpStep(SECRET, code, NOW + skew), step, `${skew} ms`);
    }
    for (const skew of [-STEP - 1, 2 * STEP, 10 * STEP]) {
      assert.equal(matchTotpStep(SECRET, code, NOW + skew), undefined, `${skew} ms`);
    }
  });

  it('may be typed with spaces', () => {
    const code = totpCode(SECRET, NOW);
    const spaced = ` ${code.slice(0, 3)} ${code.slice(3)} `;
    assert.equal(matchTotpStep(SECRET, spaced, NOW), NOW / STEP);
  });

  it('is six digits', () => {
    for (const text of ['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '-12345', '1e5000', '\0']) {
      assert.equal(matchTotpStep(SECRET, text, NOW), undefined, text);
    }
  });

  it('belongs to one secret and moment', () => {
    fc.assert(
      fc.property(fc.integer({ min: STEP, max: 2 ** 45 }), (at) => {
        const secret = createTotpSecret();
        const code = totpCode(secret, at);
        assert.match(code, /^\d{6}$/);
        // The next step has the same code once in a million times.
        assert.ok([0, 1].includes((matchTotpStep(secret, code, at) ?? 0) - Math.floor(at / STEP)));
      }),
    );
  });
});

describe('A secret of an authenticator app', () => {
  it('has 160 random bits in Base32', () => {
    const secrets = new Set(Array.from({ length: 100 }, createTotpSecret));
    assert.equal(secrets.size, 100);
    for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
  });

  it('is given to apps with the name of the service and the account', () => {
    assert.equal(
      totpUri(SECRET, 'ann+cards@shop.example'),
      `otpauth://totp/Cardprice%3Aann%2Bcards%40shop.example?secret=${SECRET}&issuer=Cardprice`,
    );
  });
});
