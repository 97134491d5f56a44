import { SETTINGS, type Setting } from '../../src/config/settings.ts';
import { table } from './table.ts';

/** Returns docs/settings.md. */
export function settingsPage(): string {
  const settings: Setting<unknown>[] = Object.values(SETTINGS);
  return `# Settings

Every setting is an environment variable. Some also have a flag, and a flag overrides its variable. An
empty variable counts as unset. A value that is not allowed stops the program with a message that
lists the allowed values. \`cardprice config\` shows the settings in effect and where each comes from.

You can keep a secret in a file: add \`_FILE\` to its variable and give the path, as in
\`CARDPRICE_SMTP_FILE=/run/secrets/smtp\`. A systemd credential with the variable's name needs no
variable at all: \`LoadCredential=CARDPRICE_SMTP:/etc/cardprice/smtp\`.

This page is generated from \`src/config/settings.ts\` by \`npm run docs\`.

${table(['setting', 'meaning', 'allowed', 'default'], settings.map(row))}
`;
}

function row(setting: Setting<unknown>): string[] {
  const { variable, flag, description, allowed, secret } = setting;
  return [
    `\`${variable}\`${flag ? `, \`${flag}\`` : ''}`,
    description,
    `${allowed}${secret ? ' (may come from a file)' : ''}`,
    setting.default === '' ? 'none' : `\`${setting.default}\``,
  ];
}
