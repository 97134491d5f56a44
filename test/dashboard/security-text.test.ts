import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseContacts } from '../../src/config/parsers.ts';
import { shareService } from '../support/app.ts';

const PATH = '/.well-known/security.txt';

describe(PATH, () => {
  const shared = shareService('SQLite');

  it('names the contacts, where it is, the rules, and a day until which it is good', async () => {
    const security = {
      contacts: parseContacts('security@cards.example,https://cards.example/report') ?? [],
      policy: 'https://cards.example/policy',
    };
    const dashboard = { security, publicUrl: 'https://cards.example' };
    const service = await shared.service.another(shared.location, { dashboard });
    const { statusCode, headers, body } = await service.get(PATH);
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(
      body,
      `Contact: mailto:security@cards.example
Contact: https://cards.example/report
Expires: 2026-04-29T00:00:00Z
Canonical: https://cards.example${PATH}
Policy: https://cards.example/policy
Preferred-Languages: en
`,
    );
    await service.close();
  });

  it('is a 404 without a contact', async () => {
    assert.equal((await shared.service.get(PATH)).statusCode, 404);
    const security = { contacts: [], policy: 'https://cards.example/policy' };
    const service = await shared.service.another(shared.location, { dashboard: { security } });
    assert.equal((await service.get(PATH)).statusCode, 404);
    await service.close();
  });
});
