/**
 * Returns what runs this program where its messages are read: in a checkout, which has no command
 * `cardprice`, npm does. npm sets these variables for what it runs.
 */
export function commandName(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { npm_lifecycle_event: script, npm_package_name: name } = environment;
  const isCheckout = name === 'cardprice' && (script === 'cardprice' || script === 'start');
  return isCheckout ? 'npm run -s cardprice --' : 'cardprice';
}

/**
 * Returns a message with the commands in it as they work here. A command begins a line, or stands
 * after a space, a backtick or a bracket.
 */
export function withCommands(text: string, name = commandName()): string {
  if (name === 'cardprice') return text;
  return text.replace(/(^|[\s`(])cardprice (?=[a-z]|--)/gm, `$1${name} `);
}
