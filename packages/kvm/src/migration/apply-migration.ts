import { clusters, machines } from '@slipway/cluster-api';
import { isReason, type KubeObject } from '@slipway/kube';
import { type Client, ifPresent, type Resource, type Secret, secrets, services } from '@slipway/runtime';
import { kvmAnnotations, kvmClusters, kvmMachines, kvmMachineTemplates } from '../api/index.js';
import { AuthorityError } from './cluster-authorities.js';
import type { LegacyConfig } from './legacy-config.js';
import type { MigrationPlan } from './migration-plan.js';

/** The clusters of the operator before this one. */
export const legacyConfigs: Resource<LegacyConfig> = {
  group: 'provider.giantswarm.io',
  version: 'v1alpha1',
  kind: 'KVMConfig',
  plural: 'kvmconfigs',
  namespaced: true,
};

const resources = [secrets, clusters, machines, services, kvmClusters, kvmMachines, kvmMachineTemplates];

export interface AppliedMigration {
  /** `Kind namespace/name`, in the order in which they were made. */
  readonly created: readonly string[];
  /** Those that were there already, and were left as they are. */
  readonly present: readonly string[];
}

interface ApplyMigrationOptions {
  /** Secrets of the authorities of the cluster: made first, and never another in the place of one that is there. */
  readonly authorities?: readonly Secret[];
  readonly signal?: AbortSignal;
}

/**
 * Pauses the operator before, if its object is in this cluster, and makes the objects of the plan. No pod and no Deployment is
 * touched: machines run on. It can be repeated; what is there stays as it is.
 */
export async function applyMigration(
  client: Client,
  config: LegacyConfig,
  plan: MigrationPlan,
  { authorities = [], signal }: ApplyMigrationOptions = {},
): Promise<AppliedMigration> {
  const options = signal === undefined ? {} : { signal };
  for (const secret of authorities) await checkAuthority(client, secret, options);
  const { namespace = 'default', name = '' } = config.metadata;
  const patch = { metadata: { annotations: { [kvmAnnotations.legacyPaused]: 'true' } } };
  await ifPresent(client.patch(legacyConfigs, { namespace, name }, { type: 'merge', patch }, options));
  const created: string[] = [];
  const present: string[] = [];
  for (const object of [...authorities, ...plan.objects] as readonly KubeObject[]) {
    const resource = resources.find(({ kind }) => kind === object.kind);
    if (resource === undefined) throw new Error(`a plan has no ${object.kind}`);
    const list = (await isMade(client, resource, object, options)) ? created : present;
    list.push(titleOf(object));
  }
  return { created, present };
}

/** Before anything is made: a cluster with two authorities would trust neither. */
async function checkAuthority(
  client: Client,
  { metadata, data }: Secret,
  options: { readonly signal?: AbortSignal },
): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  const found = await ifPresent(client.get(secrets, { namespace, name }, options));
  if (found === undefined || found.data?.['tls.crt'] === data?.['tls.crt']) return;
  throw new AuthorityError(
    `Secret ${namespace}/${name} is there with another certificate: find out which one the cluster uses, and delete or leave out the other`,
  );
}

async function isMade(
  client: Client,
  resource: Resource,
  object: KubeObject,
  options: { readonly signal?: AbortSignal },
): Promise<boolean> {
  try {
    // A copy: the client fills in what the server adds, and the plan may be applied again.
    await client.create(resource, structuredClone(object), options);
    return true;
  } catch (error) {
    if (isReason(error, 'AlreadyExists')) return false;
    throw error;
  }
}

function titleOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
