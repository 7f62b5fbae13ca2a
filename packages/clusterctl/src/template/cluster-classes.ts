import { clusterClasses } from '@slipway/cluster-api';
import { type KubeObject, parseApiVersion } from '@slipway/kube';
import { type Client, ifPresent } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import type { ProviderRepository, RepositoryDependencies } from '../repository/index.js';
import { type ClusterTemplate, mergeTemplates, renderTemplate, type TemplateOptions } from './cluster-template.js';

interface ClassReference {
  readonly name: string;
  readonly namespace: string;
}

/** Adds the ClusterClasses that a template references and that do not exist yet, from `clusterclass-<name>.yaml` of the release. */
export async function withMissingClasses(
  template: ClusterTemplate,
  repository: ProviderRepository,
  version: string,
  options: TemplateOptions,
  dependencies: RepositoryDependencies,
): Promise<ClusterTemplate> {
  const brought = new Set(
    template.objects.filter(({ kind }) => kind === 'ClusterClass').map(({ metadata }) => metadata.name),
  );
  const desired = classesOf(template.objects).filter(({ name }) => !brought.has(name));
  if (desired.length === 0) return template;
  const client = await clientWithClasses(dependencies);
  const found: ClusterTemplate[] = [];
  for (const reference of desired) {
    if (client !== undefined && (await ifPresent(client.get(clusterClasses, reference))) !== undefined) continue;
    const text = await repository.read(version, `clusterclass-${reference.name}.yaml`);
    const rendered = renderTemplate(text, { ...options, targetNamespace: reference.namespace });
    if (client !== undefined) await refuseExisting(client, rendered.objects);
    found.push(rendered);
  }
  return mergeTemplates([...found, template]);
}

function classesOf(objects: readonly KubeObject[]): ClassReference[] {
  const found = new Map<string, ClassReference>();
  for (const object of objects) {
    const reference = classOf(object);
    if (reference !== undefined) found.set(`${reference.namespace}/${reference.name}`, reference);
  }
  return [...found.values()];
}

function classOf(object: KubeObject): ClassReference | undefined {
  if (object.kind !== 'Cluster' || parseApiVersion(object.apiVersion).group !== 'cluster.x-k8s.io') return undefined;
  const { topology = {} } = (object['spec'] ?? {}) as { readonly topology?: Topology };
  const { class: oldName, classNamespace, classRef } = topology;
  const name = classRef?.name ?? oldName;
  if (name === undefined) return undefined;
  return { name, namespace: classRef?.namespace ?? classNamespace ?? object.metadata.namespace ?? '' };
}

/** The topology of a Cluster. The class name has a different path in each served API version. */
interface Topology {
  readonly class?: string;
  readonly classNamespace?: string;
  readonly classRef?: { readonly name?: string; readonly namespace?: string };
}

/** Returns a client. Undefined if no cluster is reachable or Cluster API is not installed, so that no ClusterClass exists. */
async function clientWithClasses(dependencies: RepositoryDependencies): Promise<Client | undefined> {
  const management = await dependencies.management();
  const { group, kind } = clusterClasses;
  return (await management?.client.resourceFor({ group, kind })) === undefined ? undefined : management?.client;
}

async function refuseExisting(client: Client, objects: readonly KubeObject[]): Promise<void> {
  for (const { apiVersion, kind, metadata } of objects) {
    const { group, version } = parseApiVersion(apiVersion);
    const resource = await client.resourceFor({ group, version, kind });
    if (resource === undefined) continue;
    const key = { namespace: resource.namespaced ? (metadata.namespace ?? '') : '', name: metadata.name ?? '' };
    if ((await ifPresent(client.get(resource, key))) !== undefined)
      throw new ClusterctlError(
        `${key.namespace}/${key.name} (${apiVersion}, Kind=${kind}) already exists in the cluster`,
        {
          remedy:
            'the object belongs to a ClusterClass that does not exist: delete the object, or use another namespace',
        },
      );
  }
}
