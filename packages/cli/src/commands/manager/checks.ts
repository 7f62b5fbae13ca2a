import { type Clock, type Logger, sleep } from '@slipway/base';
import { isReason, type KubeObject } from '@slipway/kube';
import { type Client, leases, type Resource } from '@slipway/runtime';
import { CliError } from '../../errors/index.js';

/** A permission that the manager needs. */
export interface Need {
  readonly verb: string;
  readonly resource: Resource;
  /** Namespace. Empty for all namespaces or a cluster-scoped resource. */
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

/**
 * Returns the permissions that caches and leader election need. Permissions for writes of controllers are not checked in advance.
 */
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

/** Throws if a permission is missing. Checked before the start, because an informer without permission would retry forever. */
export async function checkPermissions(client: Client, needs: readonly Need[], signal: AbortSignal): Promise<void> {
  const answers = await Promise.all(needs.map(async (need) => ({ need, allowed: await mayDo(client, need, signal) })));
  const missing = answers.filter(({ allowed }) => !allowed).map(({ need }) => need);
  if (missing.length === 0) return;
  const user = await whoAmI(client, signal);
  throw new CliError(`${user} cannot ${missing.map(describe).join('; cannot ')}`, {
    remedy:
      'add these verbs to a Role or ClusterRole and bind it to that user; docs/operating/manager.md lists the required permissions',
  });
}

/** Describes a permission in the wording of the API server's Forbidden message. */
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
    // A server that does not allow access reviews is assumed to grant the access.
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

/** Waiting for CRDs: how long, and the dependencies. */
export interface ServedWait {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Interval between discovery requests: the API server has no event for a CRD that is served. */
const servedPollMs = 500;

/** Throws if a watched resource is not served within the timeout, because its cache would never sync. */
export async function checkServed(client: Client, watched: readonly Resource[], wait: ServedWait): Promise<void> {
  const { clock, logger, signal } = wait;
  const deadline = clock.now() + wait.timeoutMs;
  let missing = await missingOf(client, watched);
  if (missing.length > 0 && wait.timeoutMs > 0) logger.info({ missing }, 'Waiting for CRDs');
  while (missing.length > 0 && clock.now() < deadline) {
    await sleep(clock, servedPollMs, { signal });
    missing = await missingOf(client, watched);
  }
  if (missing.length === 0) return;
  throw new CliError(`the server does not serve ${missing.join(', ')}`, {
    remedy: 'install the provider that these CRDs belong to, or run with --install-crds to install the missing CRDs',
  });
}

/** Returns the names of the resources that the server does not serve. */
async function missingOf(client: Client, watched: readonly Resource[]): Promise<string[]> {
  const found = await Promise.all(
    watched.map(async (resource) => ({ resource, served: (await client.resourceFor(resource)) !== undefined })),
  );
  return found
    .filter(({ served }) => !served)
    .map(({ resource: { kind, group, version } }) => `${kind} (${group === '' ? '' : `${group}/`}${version})`);
}
