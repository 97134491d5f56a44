import { OperatorError } from '../domain/errors.ts';
import { type Environment, type Origin, originOf } from './origin.ts';
import { SETTINGS, type Setting, type SettingName } from './settings.ts';

/** The settings as the program uses them. */
export type Config = {
  readonly [Name in SettingName]: NonNullable<ReturnType<(typeof SETTINGS)[Name]['parse']>>;
};

/** Settings given as flags, as text. They override the environment. */
export type Flags = { readonly [Name in SettingName]?: string | undefined };

/**
 * Reads every setting. An empty variable counts as unset.
 *
 * @throws OperatorError that names the first setting whose value is not allowed.
 */
export function readConfig(flags: Flags = {}, environment: Environment = process.env): Config {
  const names = Object.keys(SETTINGS) as SettingName[];
  const values = names.map((name) => [name, readSetting(name, flags, environment)] as const);
  return Object.freeze(Object.fromEntries(values)) as Config;
}

/** A setting as written by the operator. */
export interface SettingText {
  readonly variable: string;
  readonly text: string;
  readonly default: string;
  /** Whether the text may contain a password. */
  readonly isSecret: boolean;
}

/** Returns the texts of all settings. A setting that is not set has its default. */
export function readTexts(
  flags: Flags = {},
  environment: Environment = process.env,
): readonly SettingText[] {
  return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const definition: Setting<unknown> = SETTINGS[name];
    const { variable, default: fallback, secret: isSecret = false } = definition;
    const { text } = originOf(definition, flags[name], environment);
    return { variable, text, default: fallback, isSecret };
  });
}

/** Reads one setting, even if others have bad values. Throws like {@link readConfig}. */
export function readSetting<Name extends SettingName>(
  name: Name,
  flags: Flags = {},
  environment: Environment = process.env,
): Config[Name] {
  const definition: Setting<unknown> = SETTINGS[name];
  const { text, from, place } = originOf(definition, flags[name], environment);
  const value = text === '' && from === 'flag' ? undefined : definition.parse(text);
  if (value !== undefined) return value as Config[Name];
  const sent = definition.secret ? '' : ` "${withoutPassword(text)}"`;
  throw new OperatorError(`${place}${sent} is not allowed; it must be ${definition.allowed}.`);
}

/** A setting as `cardprice config` shows it. */
export interface ShownSetting {
  readonly variable: string;
  /** The value as written by the operator; `***` for a secret that is set. */
  readonly value: string;
  readonly from: Origin['from'];
  /** The flag, variable or file that sets it. */
  readonly place: string;
}

/** Returns every setting with its value and its origin, even if the value is not allowed. */
export function describeSettings(
  flags: Flags = {},
  environment: Environment = process.env,
): ShownSetting[] {
  const names = Object.keys(SETTINGS) as SettingName[];
  return names.map((name) => {
    const definition: Setting<unknown> = SETTINGS[name];
    const { text, from, place } = originOf(definition, flags[name], environment);
    const show = definition.show ?? ((secret: string) => (secret === '' ? '' : '***'));
    const value = definition.secret ? show(text) : withoutPassword(text);
    return { variable: definition.variable, value, from, place };
  });
}

/** Hides the password in a URL that somebody wrote into a setting by mistake. */
function withoutPassword(text: string): string {
  return text.replace(/:\/\/.*@/s, '://***@');
}

/** Returns the `CARDPRICE_` variables in the environment that are not settings. */
export function unknownVariables(environment: Environment = process.env): string[] {
  const settings: Setting<unknown>[] = Object.values(SETTINGS);
  const known = settings.flatMap(({ variable, secret }) => {
    return secret ? [variable, `${variable}_FILE`] : [variable];
  });
  return Object.keys(environment)
    .filter((name) => name.startsWith('CARDPRICE_') && !known.includes(name))
    .sort();
}
