import { isReason, type KubeObject } from '@slipway/kube';
import { type Client, leases, type Resource } from '@slipway/runtime';
import { CliError } from '../../errors/index.js';

/** Something that the manager must be let do. */
export interface Need {
  readonly verb: string;
  readonly resource: Resource;
  /** '' for all namespaces, or none. */
  readonly namespace: string;
}

const accessReviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};
const selfReviews: Resource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

/** What caches and elections need. What a controller writes is checked when it does: it knows best. */
export function needsOf(
  watched: readonly Resource[],
  namespace: string,
  election: { readonly namespace: string; readonly sharded: boolean } | undefined,
): Need[] {
  const watching = watched.flatMap((resource) =>
    ['list', 'watch'].map((verb) => ({ verb, resource, namespace: resource.namespaced ? namespace : '' })),
  );
  if (election === undefined) return watching;
  const verbs = ['get', 'create', 'update', ...(election.sharded ? ['list', 'delete'] : [])];
  const resource = leases;
  return [...watching, ...verbs.map((verb) => ({ verb, resource, namespace: election.namespace }))];
}

/** Asks the server beforehand: an informer that is refused would only wait. */
export async function checkPermissions(client: Client, needs: readonly Need[], signal: AbortSignal): Promise<void> {
  const answers = await Promise.all(needs.map(async (need) => ({ need, allowed: await mayDo(client, need, signal) })));
  const missing = answers.filter(({ allowed }) => !allowed).map(({ need }) => need);
  if (missing.length === 0) return;
  const user = await whoAmI(client, signal);
  throw new CliError(`${user} may not ${missing.map(describe).join('; may not ')}`, {
    remedy:
      'add these verbs to a Role or ClusterRole and bind it to that user; docs/operating/manager.md lists what is needed',
  });
}

/** The same words that the server uses when it refuses. */
function describe({ verb, resource, namespace }: Need): string {
  const name = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  if (!resource.namespaced) return `${verb} ${name} at the cluster scope`;
  return `${verb} ${name} in ${namespace === '' ? 'all namespaces' : `the namespace ${namespace}`}`;
}

async function mayDo(client: Client, { verb, resource, namespace }: Need, signal: AbortSignal): Promise<boolean> {
  const { group, version, plural } = resource;
  const review: KubeObject = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: accessReviews.kind,
    metadata: {},
    spec: { resourceAttributes: { verb, group, version, resource: plural, namespace } },
  };
  try {
    const answer = await client.create(accessReviews, review, { signal });
    return (answer['status'] as { readonly allowed?: boolean } | undefined)?.allowed === true;
  } catch (error) {
    // A server that does not let us ask gets the benefit of the doubt.
    if (isReason(error, 'Forbidden') || isReason(error, 'NotFound')) return true;
    throw error;
  }
}

async function whoAmI(client: Client, signal: AbortSignal): Promise<string> {
  const review: KubeObject = { apiVersion: 'authentication.k8s.io/v1', kind: selfReviews.kind, metadata: {} };
  try {
    const answer = await client.create(selfReviews, review, { signal });
    const status = answer['status'] as { readonly userInfo?: { readonly username?: string } } | undefined;
    return `the user "${status?.userInfo?.username ?? ''}"`;
  } catch {
    return 'this user';
  }
}

/** Caches of kinds that nobody serves would never fill. */
export async function checkServed(client: Client, watched: readonly Resource[]): Promise<void> {
  const found = await Promise.all(
    watched.map(async (resource) => ({ resource, served: (await client.resourceFor(resource)) !== undefined })),
  );
  const missing = found.filter(({ served }) => !served).map(({ resource }) => resource);
  if (missing.length === 0) return;
  const names = missing.map(({ kind, group, version }) => `${kind} (${group === '' ? '' : `${group}/`}${version})`);
  throw new CliError(`the server does not serve ${names.join(', ')}`, {
    remedy: 'run with --install-crds to install the definitions that are missing',
  });
}
