import { readFile } from 'node:fs/promises';
import { builtinConfig, type BuiltinProvider, ClusterctlConfig, isSameProvider, labelOf } from '@slipway/clusterctl';
import { type JsonObject, parseYamlValue } from '@slipway/kube';
import { parse } from 'semver';
import type { FrozenProvider } from '../api/index.js';
import { predefinedProviders } from './predefined-providers.js';

/** Reads the configuration for all providers: a `clusterctl.yaml` with `providers` and `images`, or an empty string. */
export type ReadOperatorConfig = () => Promise<string>;

/** Path of the configuration, as in upstream. It is mounted from a ConfigMap. */
const configFile = '/config/clusterctl.yaml';
/** Files that override those of a release, as clusterctl's `overrides`. */
const overridesFolder = '/config/overrides';

export const readMountedConfig: ReadOperatorConfig = async () => {
  try {
    return await readFile(configFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};

export interface OperatorConfig {
  /** clusterctl configuration with the variables of one provider. The environment of this process is ignored. */
  readonly config: ClusterctlConfig;
  /** Returns the repository URL of a provider without fetchConfig, or undefined for an unknown provider. */
  urlOf(provider: FrozenProvider): string | undefined;
  alterImage(image: string): string;
}

export interface ConfigInput {
  readonly text: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly builtin: readonly BuiltinProvider[];
}

export function readOperatorConfig(
  provider: FrozenProvider,
  { text, variables, builtin }: ConfigInput,
): OperatorConfig {
  const settings = (parseYamlValue(text === '' ? '{}' : text) ?? {}) as JsonObject;
  const { providers: own, images } = settings as { providers?: JsonObject; images?: JsonObject };
  const config = new ClusterctlConfig(
    { ...(own !== undefined && { providers: own }), ...(images !== undefined && { images }) },
    { env: {}, builtin: predefinedProviders },
  );
  for (const [name, value] of variables) config.set(name, value);
  config.set('overridesFolder', overridesFolder);
  const label = labelOf({ name: provider.metadata.name ?? '', type: provider.kind });
  return {
    config,
    urlOf: (each) => releaseUrl(each, config, builtin),
    alterImage: (image) => (hasRegistry(image) ? config.alterImage(label, image) : image),
  };
}

/** Returns the repository URL of a provider without fetchConfig: from the configuration, built in, or upstream's. */
export function releaseUrl(
  { kind, metadata, spec }: FrozenProvider,
  config: ClusterctlConfig,
  builtin: readonly BuiltinProvider[],
): string | undefined {
  const desired = { name: metadata.name ?? '', type: kind };
  const known = predefinedProviders.find((each) => isSameProvider(each, desired));
  const listed = config.providers.find((each) => isSameProvider(each, desired));
  const isReplaced = listed !== undefined && listed !== known && !listed.url.startsWith('builtin://');
  if (isReplaced) return listed.url;
  const ours = builtin.find((each) => isSameProvider(each, desired));
  // The built-in version needs no network. Other versions of the same provider come from upstream.
  return ours !== undefined && isVersion(spec?.version, ours.version) ? builtinConfig(ours).url : known?.url;
}

function isVersion(desired: string | undefined, ours: string): boolean {
  return desired === undefined || desired === '' || parse(desired)?.format() === parse(ours)?.format();
}

/**
 * Returns whether an image has a registry: `registry.k8s.io/a/b:c` has, `b:c` has not, and its registry depends on the
 * configuration of the node.
 */
function hasRegistry(image: string): boolean {
  const [first = '', ...rest] = image.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
}
