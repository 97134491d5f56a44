/**
 * Returns the command that runs this program, for messages. In a checkout, where `cardprice` is not
 * a command, it is npm's. npm sets these variables for the programs it runs.
 */
export function commandName(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { npm_lifecycle_event: script, npm_package_name: name } = environment;
  const isCheckout = name === 'cardprice' && (script === 'cardprice' || script === 'start');
  return isCheckout ? 'npm run -s cardprice --' : 'cardprice';
}

/**
 * Returns a message with its commands in the form that works here. A command starts a line or
 * follows a space, a backtick or a bracket.
 */
export function withCommands(text: string, name = commandName()): string {
  if (name === 'cardprice') return text;
  return text.replace(/(^|[\s`(])cardprice (?=[a-z]|--)/gm, `$1${name} `);
}
