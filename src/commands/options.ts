import { Option } from 'commander';
import { SETTINGS, type Setting, type SettingName } from '../config/settings.ts';

/** Returns the flag of a setting, with its description. Reading the settings checks the value. */
export function settingOption(name: SettingName): Option {
  const { flag, description, variable, default: fallback }: Setting<unknown> = SETTINGS[name];
  if (!flag) throw new Error(`the setting ${name} has no flag`);
  return new Option(flag, `${description} (${variable}, default ${fallback})`);
}

/** Returns the `--json` flag, for commands that also serve programs. */
export function jsonOption(): Option {
  return new Option('--json', 'Print JSON.');
}
