import { clusters, machines } from '@slipway/cluster-api';
import { isReason, type KubeObject } from '@slipway/kube';
import { type Client, ifPresent, type Resource, services } from '@slipway/runtime';
import { kvmAnnotations, kvmClusters, kvmMachines, kvmMachineTemplates } from '../api/index.js';
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

const resources = [clusters, machines, services, kvmClusters, kvmMachines, kvmMachineTemplates] as readonly Resource[];

export interface AppliedMigration {
  /** `Kind namespace/name`, in the order in which they were made. */
  readonly created: readonly string[];
  /** Those that were there already, and were left as they are. */
  readonly present: readonly string[];
}

/**
 * Pauses the operator before, if its object is in this cluster, and makes the objects of the plan. No pod and no Deployment is
 * touched: machines run on. It can be repeated; what is there stays as it is.
 */
export async function applyMigration(
  client: Client,
  config: LegacyConfig,
  plan: MigrationPlan,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<AppliedMigration> {
  const options = signal === undefined ? {} : { signal };
  const { namespace = 'default', name = '' } = config.metadata;
  const patch = { metadata: { annotations: { [kvmAnnotations.legacyPaused]: 'true' } } };
  await ifPresent(client.patch(legacyConfigs, { namespace, name }, { type: 'merge', patch }, options));
  const created: string[] = [];
  const present: string[] = [];
  for (const object of plan.objects) {
    const resource = resources.find(({ kind }) => kind === object.kind);
    if (resource === undefined) throw new Error(`a plan has no ${object.kind}`);
    (await isMade(client, resource, object, options)) ? created.push(titleOf(object)) : present.push(titleOf(object));
  }
  return { created, present };
}

async function isMade(
  client: Client,
  resource: Resource,
  object: KubeObject,
  options: { readonly signal?: AbortSignal },
): Promise<boolean> {
  try {
    await client.create(resource, object, options);
    return true;
  } catch (error) {
    if (isReason(error, 'AlreadyExists')) return false;
    throw error;
  }
}

function titleOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
