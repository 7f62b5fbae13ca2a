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
  type Outcome,
  retry,
  type Sources,
  type ObjectKey,
} from '@slipway/runtime';
import { labels, machinePools, machines } from '../api/index.js';
import { resolveKind, textAt } from '../contract/index.js';
import { applyIntent, fingerprintOf } from '../intents/index.js';
import { nameOf, type ObservedMachine } from '../machines/index.js';
import { formatLabelValue } from '../naming/index.js';
import { machineOfPool } from './machine-of-pool.js';
import { machineKindOf, type PoolPass } from './pool-pass.js';

/** As upstream's controller calls itself. */
const fieldManager = 'machinepool-controller';

/** Keeps a Machine for each machine that the provider shows, so that it can be seen and remediated one by one. */
export async function syncMachines(pass: PoolPass): Promise<Outcome> {
  const kind = machineKindOf(pass);
  if (kind === undefined || pass.infrastructure.type !== 'found') return done();
  const { context, pool } = pass;
  const { group } = parseApiVersion(pass.infrastructure.object.apiVersion);
  const { resource } = resolveKind(context.sources, { apiGroup: group, kind });
  const source = await context.follow({ resource, map: (object) => poolsOf(context.sources, object) });
  const byPool = labelIndex(labels.poolName);
  const value = `${pool.metadata.namespace ?? ''}/${formatLabelValue(nameOf(pool))}`;
  const ofCluster = (object: Pick<Frozen<KubeObject>, 'metadata'>): boolean =>
    object.metadata.labels?.[labels.clusterName] === pool.spec.clusterName;
  pass.machines = context.sources.sourceFor(machines).byIndex(byPool, value).filter(ofCluster);
  const failures: Outcome[] = [];
  for (const object of source.byIndex(byPool, value).filter(ofCluster)) {
    try {
      await syncMachine(pass, object);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      const message = `failed to update the Machine of ${object.kind} ${nameOf(object)}: ${String(error)}`;
      failures.push(retry(new Error(message, { cause: error })));
    }
  }
  return joinOutcomes(failures);
}

/** The pool of a machine, by its label. */
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

async function syncMachine(pass: PoolPass, object: Frozen<KubeObject>): Promise<void> {
  const { context, tools, pool } = pass;
  const existing = pass.machines.find(({ spec }) => spec.infrastructureRef.name === nameOf(object));
  const intent = machineOfPool(pool, object, existing, kubeletVersion(pass, object)) as unknown as JsonObject;
  const fingerprint = fingerprintOf(intent);
  if (existing === undefined) {
    // What is on its way out gets no machine any more.
    if (isDeleting(object)) return;
    const { client, signal } = context;
    const options = { fieldManager, force: true, signal };
    const machine = await client.apply(machines, keyOf(object), intent, options);
    tools.intents.note(machine.metadata.uid ?? '', fieldManager, fingerprint);
    pass.machines = [...pass.machines, machine];
    return;
  }
  if (isDeleting(existing) || isOthers(pass, existing)) return;
  const applied = await applyIntent(context, tools.intents, {
    resource: machines,
    current: existing,
    intent,
    fieldManager,
    fingerprint,
  });
  pass.machines = pass.machines.map((each) => (each === existing ? applied : each));
}

function isOthers({ pool }: PoolPass, machine: ObservedMachine): boolean {
  const owner = controllerOf(machine);
  return owner !== undefined && owner.uid !== pool.metadata.uid;
}

/** The version of a machine that nobody asked for is the one that runs. */
function kubeletVersion({ nodes }: PoolPass, object: Frozen<KubeObject>): string | undefined {
  const id = textAt(object, 'spec', 'providerID');
  const node = nodes?.find(({ spec }: Frozen<Node>) => id !== undefined && spec?.providerID === id);
  return node?.status?.nodeInfo?.kubeletVersion;
}
