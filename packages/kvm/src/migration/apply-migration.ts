import { clusters, machines } from '@slipway/cluster-api';
import { isReason, type KubeObject } from '@slipway/kube';
import { ifPresent, type Reader, type Resource, type Secret, secrets, services, type Writer } from '@slipway/runtime';
import { kvmAnnotations, kvmClusters, kvmMachines, kvmMachineTemplates } from '../api/index.js';
import { AuthorityError } from './cluster-authorities.js';
import type { LegacyConfig } from './legacy-config.js';
import type { MigrationPlan } from './migration-plan.js';

/** KVMConfigs, the clusters of the legacy operator. */
export const legacyConfigs: Resource<LegacyConfig> = {
  group: 'provider.giantswarm.io',
  version: 'v1alpha1',
  kind: 'KVMConfig',
  plural: 'kvmconfigs',
  namespaced: true,
};

const resources = [secrets, clusters, machines, services, kvmClusters, kvmMachines, kvmMachineTemplates];

export interface AppliedMigration {
  /** Created objects as `Kind namespace/name`, in order of creation. */
  readonly created: readonly string[];
  /** Objects that already existed and were not changed. */
  readonly present: readonly string[];
}

interface ApplyMigrationOptions {
  /** Secrets with the CAs of the cluster. They are created first, and never replace an existing CA. */
  readonly authorities?: readonly Secret[];
  readonly signal?: AbortSignal;
}

/**
 * Pauses the legacy operator, if its object is in this cluster, and creates the objects of the plan. Pods and Deployments are
 * unchanged, so machines keep running. Can be repeated: existing objects stay unchanged.
 */
export async function applyMigration(
  writer: Writer,
  config: LegacyConfig,
  plan: MigrationPlan,
  { authorities = [], signal }: ApplyMigrationOptions = {},
): Promise<AppliedMigration> {
  for (const secret of authorities) await checkAuthority(writer.read, secret, signal === undefined ? {} : { signal });
  const { namespace = 'default', name = '' } = config.metadata;
  const pausing = writer.change({
    verb: 'patch',
    resource: legacyConfigs,
    key: { namespace, name },
    body: { type: 'merge', patch: { metadata: { annotations: { [kvmAnnotations.legacyPaused]: 'true' } } } },
    reason: 'Migrating',
    message: `Paused the legacy operator for KVMConfig ${name}`,
  });
  await ifPresent(pausing);
  const created: string[] = [];
  const present: string[] = [];
  for (const object of [...authorities, ...plan.objects] as readonly KubeObject[]) {
    const resource = resources.find(({ kind }) => kind === object.kind);
    if (resource === undefined) throw new Error(`a migration plan cannot contain ${object.kind}`);
    const list = (await isCreated(writer, resource, object)) ? created : present;
    list.push(titleOf(object));
  }
  return { created, present };
}

/**
 * Rejects a CA that differs from an existing one. Must run before anything is created: certificates of a cluster with two CAs
 * would not be trusted by all of its components.
 */
async function checkAuthority(
  read: Reader,
  { metadata, data }: Secret,
  options: { readonly signal?: AbortSignal },
): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  const found = await ifPresent(read.get(secrets, { namespace, name }, options));
  if (found === undefined || found.data?.['tls.crt'] === data?.['tls.crt']) return;
  throw new AuthorityError(
    `Secret ${namespace}/${name} already exists with another certificate: check which one the cluster uses, and delete the other`,
  );
}

async function isCreated(writer: Writer, resource: Resource, object: KubeObject): Promise<boolean> {
  try {
    await writer.change({
      verb: 'create',
      resource,
      // A copy, because the client adds the server's values to the object, and the plan may be applied again.
      object: structuredClone(object),
      reason: 'Migrating',
      message: `Created ${titleOf(object)} from a KVMConfig`,
    });
    return true;
  } catch (error) {
    if (isReason(error, 'AlreadyExists')) return false;
    throw error;
  }
}

function titleOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
