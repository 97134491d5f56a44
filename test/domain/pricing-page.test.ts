import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { CONDITION_FACTORS } from '../../src/domain/estimates.ts';
import { PRICE_SOURCES } from '../../src/domain/sources.ts';

/** The rows of the table under a heading of docs/pricing.md. */
function rowsUnder(heading: string): string[] {
  const page = readFileSync('docs/pricing.md', 'utf8');
  const [, after = ''] = page.split(`\n${heading}\n`);
  const [section = ''] = after.split(/\n#{2,3} /);
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
}

describe('docs/pricing.md', () => {
  it('has the sources in the order in which they are believed', () => {
    const rows = PRICE_SOURCES.map((source, index) => {
      const { name, freshDays, holdDays, gives } = source;
      const days = `${freshDays} days | ${holdDays} days`;
      return `| ${index + 1} | \`${name}\` | ${days} | ${gives.join(', ')} |`;
    });
    assert.deepEqual(rowsUnder('## Which price is served'), rows);
  });

  it('has the factors of estimates', () => {
    const rows = Object.entries(CONDITION_FACTORS).map(([condition, factor]) => {
      return `| \`${condition}\` | ${Math.round(factor * 100)} % |`;
    });
    assert.deepEqual(rowsUnder('## Estimates'), rows);
  });
});
