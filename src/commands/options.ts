import { Option } from 'commander';
import { SETTINGS, type Setting, type SettingName } from '../config/settings.ts';

/** The flag of a setting, described as the setting is. Its text is checked when settings are read. */
export function settingOption(name: SettingName): Option {
  const { flag, description, variable, default: fallback }: Setting<unknown> = SETTINGS[name];
  if (!flag) throw new Error(`the setting ${name} has no flag`);
  return new Option(flag, `${description} (${variable}, else ${fallback})`);
}

/** `--json`, for commands that answer programs as well as people. */
export function jsonOption(): Option {
  return new Option('--json', 'Print JSON.');
}
