import assert from 'node:assert/strict';
import { it } from 'node:test';
import { commandName, withCommands } from '../../src/config/command-name.ts';

it('names the command as it works: by npm in a checkout', () => {
  const npm = { npm_package_name: 'cardprice', npm_lifecycle_event: 'start' };
  assert.equal(commandName(npm), 'npm run -s cardprice --');
  assert.equal(
    commandName({ ...npm, npm_lifecycle_event: 'cardprice' }),
    'npm run -s cardprice --',
  );
  assert.equal(commandName({ ...npm, npm_lifecycle_event: 'test' }), 'cardprice');
  assert.equal(commandName({ ...npm, npm_package_name: 'shop' }), 'cardprice');
  assert.equal(commandName({}), 'cardprice');
});

it('changes the commands in a message, and nothing else', () => {
  const text =
    'cardprice: See `cardprice key list`.\n  cardprice --help\ncardprice.db, (cardprice restore)';
  const named = (name: string) =>
    `cardprice: See \`${name} key list\`.\n  ${name} --help\ncardprice.db, (${name} restore)`;
  assert.equal(withCommands(text, 'npx cardprice'), named('npx cardprice'));
  assert.equal(withCommands(text, 'cardprice'), text);
});
