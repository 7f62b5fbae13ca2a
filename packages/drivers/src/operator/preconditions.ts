import type { Frozen, KubeObject } from '@slipway/kube';
import { csiDrivers, daemonSets, ifPresent, type ReconcileContext, type Resource } from '@slipway/runtime';
import {
  annotations,
  cpiDaemonSet,
  csiDriverName,
  DriverError,
  type DriverName,
  remedies,
  systemNamespace,
} from '../api/index.js';
import { isMarked } from '../deploy/index.js';
import { findMachine, machineProblems, type MachineProblem } from '../health/index.js';
import type { Observed } from './observe.js';

/** Annotation that lets the operator adopt drivers that were installed by other means. */
const adoptAnnotation = 'vdo.vmware.com/adopt';

export function mayAdopt({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): boolean {
  return metadata.annotations?.[adoptAnnotation] === 'true';
}

export interface Preconditions {
  /** Problem that prevents the installation of the driver. */
  readonly blocking?: DriverError;
  readonly warnings: readonly string[];
}

/** Checks the preconditions of a driver. */
export async function checkPreconditions(
  driver: DriverName,
  observed: Observed,
  context: ReconcileContext,
): Promise<Preconditions> {
  const problems = machineProblems(observed.nodes, observed.machines)[driver];
  const warnings = [...groupByReason(problems), ...networkWarnings(observed)];
  const foreign = await foreignDriver(driver, observed, context);
  return foreign === undefined ? { warnings } : { blocking: foreign, warnings };
}

function groupByReason(problems: readonly MachineProblem[]): string[] {
  const grouped = new Map<MachineProblem['reason'], string[]>();
  for (const { reason, node } of problems) grouped.set(reason, [...(grouped.get(reason) ?? []), node]);
  return [...grouped].map(([reason, names]) => `${reason} on ${names.join(', ')}: ${remedies[reason]}`);
}

/** Returns warnings about a missing pod network: the drivers do not need it, but the pods that use volumes do. */
function networkWarnings({ nodes: all }: Observed): string[] {
  const without = all.filter((node) =>
    node.status?.conditions?.some(
      ({ type, status, message }) =>
        type === 'Ready' && status === 'False' && /cni|network plugin/i.test(message ?? ''),
    ),
  );
  if (without.length === 0) return [];
  return [
    `no CNI on ${without.map(({ metadata }) => metadata.name).join(', ')}: install a CNI plugin; the drivers do not wait for it`,
  ];
}

const openShiftMark = 'csi.openshift.io/managed';
const clusterCsiDrivers: Resource = {
  group: 'operator.openshift.io',
  version: 'v1',
  kind: 'ClusterCSIDriver',
  plural: 'clustercsidrivers',
  namespaced: false,
};

async function foreignDriver(
  driver: DriverName,
  { config }: Observed,
  { sources, read, signal }: ReconcileContext,
): Promise<DriverError | undefined> {
  if (driver === 'cpi') {
    const live = sources.sourceFor(daemonSets).get({ namespace: systemNamespace, name: cpiDaemonSet });
    if (live === undefined || isMarked(live) || mayAdopt(config)) return undefined;
    return foreign(`DaemonSet ${systemNamespace}/${cpiDaemonSet}`);
  }
  const live = sources.sourceFor(csiDrivers).get({ namespace: '', name: csiDriverName });
  if (live === undefined || isMarked(live)) return undefined;
  if (Object.hasOwn(live.metadata.annotations ?? {}, openShiftMark)) {
    const managed = await ifPresent(read.get(clusterCsiDrivers, { namespace: '', name: csiDriverName }, { signal }));
    const state = (managed?.['spec'] as { readonly managementState?: string } | undefined)?.managementState;
    return new DriverError(
      'ManagedByOpenShift',
      `OpenShift runs its own storage driver (ClusterCSIDriver ${state ?? 'Managed'})`,
    );
  }
  return mayAdopt(config) ? undefined : foreign(`CSIDriver ${csiDriverName}`);
}

function foreign(what: string): DriverError {
  return new DriverError(
    'ForeignDriverPresent',
    `${what} is not managed by this operator; set the annotation ${adoptAnnotation}=true on the VDOConfig to adopt it`,
  );
}

/**
 * Returns a problem if nodes have no VM among the visible ones. The CPI deletes the Node of every VM that it does not find, so it
 * must not get a reduced list of datacenters, or an account with fewer privileges.
 */
export function wouldLoseNodes({ nodes: all, machines, places }: Observed): DriverError | undefined {
  if (machines === undefined) return undefined;
  const lost = all.filter(
    (node) => node.spec?.providerID?.startsWith('vsphere://') && findMachine(node, machines) === undefined,
  );
  if (lost.length === 0) return undefined;
  const names = lost.map(({ metadata }) => metadata.name).join(', ');
  return new DriverError('NodeNotFound', `the CPI would delete the nodes ${names}: their VMs are not in ${places}`);
}

export const hasRetry = (object: Pick<Frozen<KubeObject>, 'metadata'>): string =>
  object.metadata.annotations?.[annotations.retry] ?? '';
