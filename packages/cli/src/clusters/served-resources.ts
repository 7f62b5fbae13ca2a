import type { HttpClient, Resource } from '@slipway/runtime';
import { CliError, exitCodes } from '../errors/index.js';

/** A resource as discovery describes it. */
export interface ServedResource extends Resource {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

interface GroupDiscovery {
  readonly metadata: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly resources?: readonly ResourceDiscovery[];
  }[];
}

interface ResourceDiscovery {
  readonly resource: string;
  readonly responseKind?: { readonly kind: string };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

const accept = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',');

/** Returns all resources that the server serves, by aggregated discovery: the preferred version of each group first. */
export async function servedResources(client: HttpClient, signal: AbortSignal): Promise<readonly ServedResource[]> {
  const texts = await Promise.all(['/api', '/apis'].map((path) => client.getRaw(path, { accept, signal })));
  const groups = texts.flatMap((text) => (JSON.parse(text) as { items?: readonly GroupDiscovery[] }).items ?? []);
  return groups.flatMap((group) =>
    (group.versions ?? []).flatMap(({ version, resources = [] }) =>
      resources.map((found) => servedResource(group.metadata.name ?? '', version, found)),
    ),
  );
}

function servedResource(group: string, version: string, found: ResourceDiscovery): ServedResource {
  const kind = found.responseKind?.kind ?? '';
  return {
    group,
    version,
    kind,
    plural: found.resource,
    namespaced: found.scope === 'Namespaced',
    singular: found.singularResource ?? kind.toLowerCase(),
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    verbs: found.verbs,
    subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
  };
}

/**
 * Returns the resources that a type on the command line names, as in kubectl: `machines`, `machine`, `ma`, `Machine`,
 * `machines.cluster.x-k8s.io`, or a category such as `cluster-api`. Only a category returns several.
 */
export function findServed(served: readonly ServedResource[], type: string): readonly ServedResource[] {
  const word = type.toLowerCase();
  const one = served.find((resource) => isNamed(resource, word));
  if (one !== undefined) return [one];
  const seen = new Set<string>();
  const ofCategory = served.filter(({ categories, verbs, group, plural }) => {
    const key = `${plural}.${group}`;
    if (!categories.includes(word) || !verbs.includes('list') || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  if (ofCategory.length > 0) return ofCategory;
  throw new CliError(`the server does not have a resource type "${type}"`, {
    remedy: 'list the types that the server has: `kubectl api-resources`',
    exitCode: exitCodes.usage,
  });
}

function isNamed({ group, version, kind, plural, singular, shortNames }: ServedResource, word: string): boolean {
  const names = [plural, singular, kind.toLowerCase()];
  if (names.includes(word) || shortNames.includes(word)) return true;
  return names.some((name) => word === `${name}.${group}` || word === `${name}.${version}.${group}`);
}

/** Returns `machine.cluster.x-k8s.io/demo`, as `kubectl get -o name` prints it. */
export function objectName({ group, singular }: ServedResource, name: string): string {
  return `${singular}${group === '' ? '' : `.${group}`}/${name}`;
}
