import type { NamedProviders, ProviderType } from '@slipway/clusterctl';
import { type Command, Option } from 'commander';
import { parseMilliseconds, parseSwitch } from './common-options.js';

/** Providers as flags name them. */
export interface ProviderFlags {
  readonly core?: readonly string[];
  readonly bootstrap?: readonly string[];
  readonly controlPlane?: readonly string[];
  readonly infrastructure?: readonly string[];
  readonly ipam?: readonly string[];
  readonly runtimeExtension?: readonly string[];
  readonly addon?: readonly string[];
}

interface ProviderFlag {
  readonly flag: string;
  readonly key: keyof ProviderFlags;
  readonly type: ProviderType;
  readonly description: string;
}

const providerFlags: readonly ProviderFlag[] = [
  { flag: '--core', key: 'core', type: 'CoreProvider', description: 'Core provider.' },
  { flag: '-b, --bootstrap', key: 'bootstrap', type: 'BootstrapProvider', description: 'Bootstrap providers.' },
  {
    flag: '-c, --control-plane',
    key: 'controlPlane',
    type: 'ControlPlaneProvider',
    description: 'Control plane providers.',
  },
  {
    flag: '-i, --infrastructure',
    key: 'infrastructure',
    type: 'InfrastructureProvider',
    description: 'Infrastructure providers.',
  },
  { flag: '--ipam', key: 'ipam', type: 'IPAMProvider', description: 'IPAM providers.' },
  {
    flag: '--runtime-extension',
    key: 'runtimeExtension',
    type: 'RuntimeExtensionProvider',
    description: 'Runtime extension providers.',
  },
  { flag: '--addon', key: 'addon', type: 'AddonProvider', description: 'Add-on providers.' },
];

/** Adds clusterctl's flags for providers. They are lists and may be repeated. */
export function addProviderOptions(command: Command, shape: string): Command {
  const add = (text: string, before: readonly string[] | undefined): readonly string[] => [
    ...(before ?? []),
    ...text.split(',').filter((part) => part !== ''),
  ];
  for (const { flag, description } of providerFlags) command.option(`${flag} <${shape}>`, description, add);
  return command;
}

export function namedProviders(flags: ProviderFlags): NamedProviders {
  return Object.fromEntries(
    providerFlags.flatMap(({ key, type }) => (flags[key] === undefined ? [] : [[type, flags[key]]])),
  );
}

/** `--core, --bootstrap, …`, for messages. */
export const providerFlagNames = providerFlags.map(({ flag }) => flag.replace(/^-\w, /, '')).join(', ');

export function waitProvidersOption(): Option {
  return new Option('--wait-providers [boolean]', 'Wait until the deployments of the providers are Available.')
    .default(false)
    .argParser(parseSwitch);
}

export function waitProviderTimeoutOption(): Option {
  return new Option('--wait-provider-timeout <time>', 'Maximum duration of the wait.')
    .default(300_000, '300')
    .argParser(parseMilliseconds);
}
