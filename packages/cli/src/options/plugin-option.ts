import { Option } from 'commander';

/** Flags of commands that load plugins. */
export interface PluginFlags {
  readonly plugin?: readonly string[];
}

/** Returns `--plugin`, which can be repeated. */
export function pluginOption(): Option {
  return new Option(
    '--plugin <package>',
    'External provider to load: a directory such as ./my-provider, or the name of an installed npm package. Can be repeated. ' +
      'Defaults to $SLIPWAY_PLUGINS.',
  ).argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
}
