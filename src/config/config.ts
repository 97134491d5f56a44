import { OperatorError } from '../domain/errors.ts';
import { SETTINGS, type Setting, type SettingName } from './settings.ts';

/** The settings as the program uses them. */
export type Config = {
  readonly [Name in SettingName]: NonNullable<ReturnType<(typeof SETTINGS)[Name]['parse']>>;
};

/** Settings given as flags, as text; they win over the environment. */
export type Flags = { readonly [Name in SettingName]?: string | undefined };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every setting. An empty variable counts as unset.
 *
 * @throws OperatorError naming the first setting with a value that is not allowed.
 */
export function readConfig(flags: Flags = {}, environment: Environment = process.env): Config {
  const names = Object.keys(SETTINGS) as SettingName[];
  const values = names.map((name) => [name, readSetting(name, flags, environment)] as const);
  return Object.freeze(Object.fromEntries(values)) as Config;
}

/** A setting as it was written. */
export interface SettingText {
  readonly variable: string;
  readonly text: string;
  readonly default: string;
  /** Whether the text may contain a password. */
  readonly isSecret: boolean;
}

/** The texts of all settings; of those that are not set, the defaults. */
export function readTexts(
  flags: Flags = {},
  environment: Environment = process.env,
): readonly SettingText[] {
  return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const { variable, default: fallback, secret = false }: Setting<unknown> = SETTINGS[name];
    const text = textOf(name, flags, environment);
    return { variable, text, default: fallback, isSecret: secret };
  });
}

/** Reads one setting, even when others have bad values. Throws like {@link readConfig}. */
export function readSetting<Name extends SettingName>(
  name: Name,
  flags: Flags = {},
  environment: Environment = process.env,
): Config[Name] {
  const definition: Setting<unknown> = SETTINGS[name];
  const flag = flags[name];
  const text = textOf(name, flags, environment);
  const value = text === '' && flag !== undefined ? undefined : definition.parse(text);
  if (value !== undefined) return value as Config[Name];
  const origin = flag === undefined ? definition.variable : definition.flag?.split(' ')[0];
  const sent = definition.secret ? '' : ` "${text}"`;
  throw new OperatorError(`${origin}${sent} is not allowed; it must be ${definition.allowed}.`);
}

function textOf(name: SettingName, flags: Flags, environment: Environment): string {
  const { variable, default: fallback }: Setting<unknown> = SETTINGS[name];
  return flags[name] ?? (environment[variable] || fallback);
}
