import { type KubeObject, parseApiVersion } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';
import { processTemplate, templateVariables } from '../envsubst/index.js';
import { type InstalledProvider, providerLabels } from '../inventory/index.js';
import { labelOf } from '../provider/index.js';
import type { ProviderRepository, RepositoryDependencies } from '../repository/index.js';
import { parseObjects } from '../template/manifest.js';
import { imagesOf, withImages } from './images.js';
import { moveToNamespace, ownNamespace } from './target-namespace.js';

/** The components of a provider, ready to be installed. */
export interface ProviderComponents {
  readonly provider: InstalledProvider;
  /** The URL that the release was read from. */
  readonly url: string;
  readonly variables: readonly string[];
  readonly images: readonly string[];
  readonly objects: readonly KubeObject[];
}

export interface ComponentsOptions {
  /** Defaults to the version in the repository URL. */
  readonly version?: string;
  /** Defaults to the Namespace in the components. */
  readonly targetNamespace?: string;
  /** Whether to keep variables unsubstituted, for output only. */
  readonly raw?: boolean;
}

export async function readComponents(
  repository: ProviderRepository,
  options: ComponentsOptions,
  { config }: Pick<RepositoryDependencies, 'config'>,
): Promise<ProviderComponents> {
  const { provider, defaultVersion, componentsFile } = repository;
  const version = options.version ?? defaultVersion;
  const text = await repository.read(version, componentsFile);
  const processed = options.raw === true ? text : processTemplate(text, config.lookup);
  const label = labelOf(provider);
  const parsed = parseObjects(processed).map((object) =>
    withImages(object, (image) => config.alterImage(label, image)),
  );
  const namespace = options.targetNamespace ?? ownNamespace(parsed);
  if (namespace === undefined)
    throw new ClusterctlError("target namespace can't be defaulted. Please specify a target namespace");
  const installed = { name: provider.name, type: provider.type, version, namespace };
  return {
    provider: installed,
    url: provider.url,
    variables: templateVariables(text).map(({ name }) => name),
    images: imagesOf(parsed),
    objects: placeObjects(parsed, installed),
  };
}

/** Returns the objects of a provider in its namespace, labelled and in apply order. */
export function placeObjects(
  objects: readonly KubeObject[],
  provider: Pick<InstalledProvider, 'name' | 'type' | 'namespace'>,
): readonly KubeObject[] {
  const { namespace } = provider;
  return withNamespace(objects, namespace)
    .map((object) => labelled(moveToNamespace(object, namespace), providerLabels(provider)))
    .sort((left, right) => orderOf(left) - orderOf(right));
}

function withNamespace(objects: readonly KubeObject[], name: string): readonly KubeObject[] {
  if (objects.some(({ kind }) => kind === 'Namespace')) return objects;
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, ...objects];
}

function labelled(object: KubeObject, labels: Readonly<Record<string, string>>): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } } };
}

/** Returns the apply order: namespaces before their objects, certificates before the objects that use them. */
function orderOf({ kind, apiVersion }: KubeObject): number {
  if (kind === 'Namespace') return 0;
  return parseApiVersion(apiVersion).group === 'cert-manager.io' ? 1 : 2;
}
