import { stringifyYaml } from '@slipway/kube';
import { parse } from 'semver';
import { componentsFiles, labelOf, type ProviderConfig, type ProviderType } from '../provider/index.js';
import type { BuiltinProvider } from '../repository/builtin-source.js';
import { currentContract } from '../repository/contract.js';
import { metadataFile } from '../repository/metadata.js';

export interface BuiltinProviderParts {
  readonly name: string;
  readonly type: ProviderType;
  readonly version: string;
  /** Returns the manifest of all objects to install. */
  readonly components: () => string | Promise<string>;
  /** Templates by file name: `cluster-template.yaml`, `cluster-template-<flavor>.yaml`, `clusterclass-<name>.yaml`. */
  readonly templates?: Readonly<Record<string, TemplateText>>;
}

/** Reads or renders a template. Called when the template is requested. */
export type TemplateText = () => string | Promise<string>;

export function builtinProvider(parts: BuiltinProviderParts): BuiltinProvider {
  const { name, type, version, components, templates = {} } = parts;
  return {
    name,
    type,
    version,
    files: {
      [metadataFile]: () => metadataOf(version),
      [componentsFiles[type]]: components,
      ...templates,
    },
  };
}

/** Returns the entry of a built-in provider in the list of providers. */
export function builtinConfig(provider: BuiltinProvider): ProviderConfig {
  const { name, type } = provider;
  return { name, type, url: `builtin:///${labelOf(provider)}/latest/${componentsFiles[type]}` };
}

/** The first minor version of Cluster API 1 with the current contract. */
const currentContractSinceMinor = 11;

/** Returns `metadata.yaml`. Includes earlier release series, because upgrades start from one of them. */
function metadataOf(version: string): string {
  const { major = 0, minor = 0 } = parse(version) ?? {};
  const releaseSeries = Array.from({ length: minor + 1 }, (_, earlier) => ({
    major,
    minor: earlier,
    contract: earlier < Math.min(minor, currentContractSinceMinor) ? 'v1beta1' : currentContract,
  }));
  return stringifyYaml({
    apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3',
    kind: 'Metadata',
    releaseSeries,
  });
}
