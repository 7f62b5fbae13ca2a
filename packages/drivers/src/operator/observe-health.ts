import type { Frozen, KubeObject } from '@slipway/kube';
import {
  coreEvents,
  csiDrivers,
  daemonSets,
  deployments,
  ifPresent,
  leases,
  type Pod,
  pods,
  type ReconcileContext,
} from '@slipway/runtime';
import { annotations, csiDriverName, type DriverName, labels, systemNamespace } from '../api/index.js';
import {
  cpiHealth,
  csiHealth,
  daemonSetHealth,
  deploymentHealth,
  type DriverHealth,
  registrationOf,
  worstPod,
  type PodTrouble,
  type WorkloadHealth,
} from '../health/index.js';
import type { Observed } from './observe.js';

export interface ObservedHealth {
  readonly health: DriverHealth;
  readonly trouble?: PodTrouble;
  readonly pods: readonly Frozen<Pod>[];
}

/** Observes the health of a driver. Pods are read only if it is not healthy, to report the cause. */
export async function observeHealth(
  driver: DriverName,
  observed: Observed,
  context: ReconcileContext,
  /** Hash of the last applied objects. A cached workload with another hash is outdated. */
  hash: string | undefined,
): Promise<ObservedHealth> {
  const health = driver === 'cpi' ? await observeCpi(context, hash) : observeCsi(observed, context, hash);
  if (health.health === 'Healthy' || health.workloads.length === 0) return { health, pods: [] };
  const found = await podsOf(health, context);
  const trouble = worstPod(found.pods, found.events);
  if (trouble === undefined || trouble.reason === 'RollingOut') return { health, pods: found.pods };
  const worse: DriverHealth = {
    ...health,
    health: health.health === 'Degraded' ? 'Degraded' : 'Unhealthy',
    reason: trouble.reason,
    message: `${health.message}; ${trouble.message}`,
  };
  return { health: worse, trouble, pods: found.pods };
}

async function observeCpi(context: ReconcileContext, hash: string | undefined): Promise<DriverHealth> {
  const { sources, read, clock, signal } = context;
  const own = [...sources.sourceFor(daemonSets).list()].find(isOf('cpi'));
  const key = { namespace: systemNamespace, name: 'cloud-controller-manager' };
  const lease = await ifPresent(read.get(leases, key, { signal }));
  return cpiHealth({ daemonSet: own && current(daemonSetHealth(own), own, hash), lease, nowMs: clock.now() });
}

function observeCsi(
  { nodes, csiNodeOf }: Observed,
  { sources }: ReconcileContext,
  hash: string | undefined,
): DriverHealth {
  const ours = isOf('csi');
  return csiHealth({
    workloads: [
      ...[...sources.sourceFor(deployments).list()]
        .filter(ours)
        .map((each) => current(deploymentHealth(each), each, hash)),
      ...[...sources.sourceFor(daemonSets).list()]
        .filter(ours)
        .map((each) => current(daemonSetHealth(each), each, hash)),
    ],
    driver: sources.sourceFor(csiDrivers).get({ namespace: '', name: csiDriverName }),
    registration: registrationOf(nodes, csiNodeOf),
  });
}

function current(
  health: WorkloadHealth,
  { metadata }: Pick<Frozen<KubeObject>, 'metadata'>,
  hash: string | undefined,
): WorkloadHealth {
  const isSeen = hash === undefined || metadata.annotations?.[annotations.appliedHash] === hash;
  return isSeen ? health : { ...health, isObserved: false };
}

/** Returns whether a workload of the driver has another hash, after a manual change or a lost status update. */
export function hasDrifted(driver: DriverName, hash: string, { sources }: ReconcileContext): boolean {
  const all = [...sources.sourceFor(deployments).list(), ...sources.sourceFor(daemonSets).list()];
  return all.filter(isOf(driver)).some(({ metadata }) => metadata.annotations?.[annotations.appliedHash] !== hash);
}

function isOf(
  driver: DriverName,
): (object: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }) => boolean {
  return ({ metadata }) => metadata.labels?.[labels.driver] === driver && metadata.labels[labels.managedBy] === 'vdo';
}

async function podsOf({ workloads }: DriverHealth, { sources, read, signal }: ReconcileContext) {
  const found: Frozen<Pod>[] = [];
  const namespaces = new Set<string>();
  for (const { kind, namespace, name } of workloads) {
    const source = sources.sourceFor(kind === 'DaemonSet' ? daemonSets : (deployments as never));
    const matched = source.get({ namespace, name })?.spec?.selector.matchLabels ?? {};
    const labelSelector = Object.entries(matched)
      .map(([key, value]) => `${key}=${value}`)
      .join(',');
    if (labelSelector === '') continue;
    namespaces.add(namespace);
    found.push(...(await read.list(pods, { namespace, labelSelector, signal })).items);
  }
  const events = [];
  for (const namespace of namespaces)
    events.push(
      ...(await read.list(coreEvents, { namespace, fieldSelector: 'type=Warning', limit: 200, signal })).items,
    );
  return { pods: found, events };
}
