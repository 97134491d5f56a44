import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { EXAMPLES, exampleAnswers } from '../scripts/examples.ts';

it('the examples of answers are what the service answers with the starter catalogue', async () => {
  const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8'));
  const message = 'run node scripts/examples.ts and npm run fix: an example is out of date';
  assert.deepEqual(JSON.parse(JSON.stringify(await exampleAnswers())), examples, message);
});
