import { readFile } from 'node:fs/promises';
import { builtinConfig, type BuiltinProvider, ClusterctlConfig, isSameProvider, labelOf } from '@slipway/clusterctl';
import { type JsonObject, parseYamlValue } from '@slipway/kube';
import { parse } from 'semver';
import type { FrozenProvider } from '../api/index.js';
import { predefinedProviders } from './predefined-providers.js';

/** What holds for all providers: the text of a `clusterctl.yaml` with `providers` and `images`; empty when there is none. */
export type ReadOperatorConfig = () => Promise<string>;

/** Upstream's place for it, mounted from a ConfigMap. */
const configFile = '/config/clusterctl.yaml';
/** Files beside it stand in for those of a release, as clusterctl's `overrides` do. */
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
  /** With the variables of one provider, and nothing of the environment of this process. */
  readonly config: ClusterctlConfig;
  /** Where a provider without fetchConfig comes from; undefined when nobody knows it. */
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

/** Where the releases of a provider are that says nothing of it itself: where the user keeps them, here, or upstream. */
export function releaseUrl(
  { kind, metadata, spec }: FrozenProvider,
  config: ClusterctlConfig,
  builtin: readonly BuiltinProvider[],
): string | undefined {
  const wanted = { name: metadata.name ?? '', type: kind };
  const known = predefinedProviders.find((each) => isSameProvider(each, wanted));
  const listed = config.providers.find((each) => isSameProvider(each, wanted));
  const isReplaced = listed !== undefined && listed !== known && !listed.url.startsWith('builtin://');
  if (isReplaced) return listed.url;
  const ours = builtin.find((each) => isSameProvider(each, wanted));
  // What this program brings along needs no network; another version of it is upstream's.
  return ours !== undefined && isVersion(spec?.version, ours.version) ? builtinConfig(ours).url : known?.url;
}

function isVersion(wanted: string | undefined, ours: string): boolean {
  return wanted === undefined || wanted === '' || parse(wanted)?.format() === parse(ours)?.format();
}

/** `registry.k8s.io/a/b:c`, not `b:c`, which every node completes as it is set up. */
function hasRegistry(image: string): boolean {
  const [first = '', ...rest] = image.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
}
