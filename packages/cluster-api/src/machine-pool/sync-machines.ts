import { type Frozen, type JsonObject, type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  controllerOf,
  done,
  FencedError,
  isDeleting,
  joinOutcomes,
  keyOf,
  labelIndex,
  type Node,
  type ObjectKey,
  type Outcome,
  ownerReference,
  retry,
  type Sources,
} from '@slipway/runtime';
import { finalizers, labels, machinePools, machines } from '../api/index.js';
import { resolveKind, textAt } from '../contract/index.js';
import { applyIntent, fingerprintOf } from '../intents/index.js';
import type { MachineIntent } from '../machine-set/index.js';
import { nameOf, type ObservedMachine } from '../machines/index.js';
import { formatLabelValue } from '../naming/index.js';
import { machineKindOf, type ObservedPool, type PoolScope } from './pool-scope.js';

/** Returns the Machine of one infrastructure machine, with the bootstrap data of the pool. */
export function machineOfPool(
  pool: ObservedPool,
  infrastructure: Frozen<KubeObject>,
  existing: ObservedMachine | undefined,
  version: string | undefined,
): MachineIntent {
  const { group } = parseApiVersion(infrastructure.apiVersion);
  const { clusterName, template } = pool.spec;
  const uid = existing?.metadata.uid;
  const known = version ?? existing?.spec.version;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name: existing === undefined ? nameOf(infrastructure) : nameOf(existing),
      namespace: pool.metadata.namespace ?? '',
      ...(uid === undefined ? {} : { uid }),
      labels: {
        ...template.metadata?.labels,
        [labels.poolName]: formatLabelValue(nameOf(pool)),
        [labels.clusterName]: clusterName,
      },
      annotations: { ...template.metadata?.annotations },
      ownerReferences: [ownerReference(pool, { controller: true })],
      ...(existing !== undefined && isDeleting(existing) ? {} : { finalizers: [finalizers.machine] }),
    },
    spec: {
      clusterName,
      bootstrap: { dataSecretName: '' },
      infrastructureRef: { apiGroup: group, kind: infrastructure.kind, name: nameOf(infrastructure) },
      ...(known === undefined ? {} : { version: known }),
    },
  };
}

/** The field manager name of upstream's controller. */
const fieldManager = 'machinepool-controller';

/** Maintains a Machine for each infrastructure machine, so that users can inspect and remediate it. */
export async function syncMachines(scope: PoolScope): Promise<Outcome> {
  const kind = machineKindOf(scope);
  if (kind === undefined || scope.infrastructure.type !== 'found') return done();
  const { context, pool } = scope;
  const { group } = parseApiVersion(scope.infrastructure.object.apiVersion);
  const { resource } = resolveKind(context.sources, { apiGroup: group, kind });
  const source = await context.follow({ resource, map: (object) => poolsOf(context.sources, object) });
  const byPool = labelIndex(labels.poolName);
  const value = `${pool.metadata.namespace ?? ''}/${formatLabelValue(nameOf(pool))}`;
  const ofCluster = (object: Pick<Frozen<KubeObject>, 'metadata'>): boolean =>
    object.metadata.labels?.[labels.clusterName] === pool.spec.clusterName;
  scope.machines = context.sources.sourceFor(machines).byIndex(byPool, value).filter(ofCluster);
  const failures: Outcome[] = [];
  for (const object of source.byIndex(byPool, value).filter(ofCluster)) {
    try {
      await syncMachine(scope, object);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      const message = `failed to update the Machine of ${object.kind} ${nameOf(object)}: ${String(error)}`;
      failures.push(retry(new Error(message, { cause: error })));
    }
  }
  return joinOutcomes(failures);
}

/** Returns the pool of an infrastructure machine, by its pool name label. */
function poolsOf(sources: Sources, { metadata }: Frozen<KubeObject>): ObjectKey[] {
  const { [labels.poolName]: pool, [labels.clusterName]: cluster = '' } = metadata.labels ?? {};
  if (pool === undefined) return [];
  const value = `${metadata.namespace ?? ''}/${cluster}`;
  return sources
    .sourceFor(machinePools)
    .byIndex(labelIndex(labels.clusterName), value)
    .filter((each) => formatLabelValue(nameOf(each)) === pool)
    .map(keyOf);
}

async function syncMachine(scope: PoolScope, object: Frozen<KubeObject>): Promise<void> {
  const { context, dependencies, pool } = scope;
  const existing = scope.machines.find(({ spec }) => spec.infrastructureRef.name === nameOf(object));
  const intent = machineOfPool(pool, object, existing, kubeletVersion(scope, object)) as unknown as JsonObject;
  const fingerprint = fingerprintOf(intent);
  if (existing === undefined) {
    // Do not create a Machine for an infrastructure machine that is being deleted.
    if (isDeleting(object)) return;
    const machine = await context.change({
      verb: 'apply',
      resource: machines,
      key: keyOf(object),
      configuration: intent,
      current: 'absent',
      fieldManager,
      reason: 'InfrastructureMachineFound',
      message: `Created Machine ${nameOf(object)} for ${object.kind} ${nameOf(object)}`,
    });
    dependencies.intents.note(machine.metadata.uid ?? '', fieldManager, fingerprint);
    scope.machines = [...scope.machines, machine];
    return;
  }
  if (isDeleting(existing) || isOthers(scope, existing)) return;
  const applied = await applyIntent(context, dependencies.intents, {
    resource: machines,
    current: existing,
    intent,
    fieldManager,
    fingerprint,
  });
  scope.machines = scope.machines.map((each) => (each === existing ? applied : each));
}

function isOthers({ pool }: PoolScope, machine: ObservedMachine): boolean {
  const owner = controllerOf(machine);
  return owner !== undefined && owner.uid !== pool.metadata.uid;
}

/** Returns the kubelet version of a machine's Node. It replaces a missing spec.version. */
function kubeletVersion({ nodes }: PoolScope, object: Frozen<KubeObject>): string | undefined {
  const id = textAt(object, 'spec', 'providerID');
  const node = nodes?.find(({ spec }: Frozen<Node>) => id !== undefined && spec?.providerID === id);
  return node?.status?.nodeInfo?.kubeletVersion;
}
