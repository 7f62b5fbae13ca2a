import {
  compareAges,
  isControlPlaneMachine,
  labels,
  type Machine,
  machines,
  nameOf,
  type ObservedMachine,
  resolveKind,
} from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { controllerIndex, type Index, type ReconcileContext, ReconcileError } from '@slipway/runtime';
import { kubeadmConfigs } from '../api/index.js';
import type { ClusterView, MachineView, ObservedControlPlane } from './control-plane.js';
import { rolloutReasons } from './rollout-reasons.js';

/** Finds the control plane Machines of a Cluster: `namespace/cluster`. */
const controlPlaneMachineIndex: Index<Machine> = {
  name: 'control plane machines',
  valuesOf: ({ metadata }) =>
    isControlPlaneMachine({ metadata })
      ? [`${metadata.namespace ?? ''}/${metadata.labels?.[labels.clusterName] ?? ''}`]
      : [],
};

/** All control plane Machines of the Cluster, whoever owns them; oldest first. */
export function controlPlaneMachines(context: ReconcileContext, cluster: ClusterView): ObservedMachine[] {
  const { namespace = '', name = '' } = cluster.metadata;
  const found = context.sources.sourceFor(machines).byIndex(controlPlaneMachineIndex, `${namespace}/${name}`);
  return [...found].sort(compareAges);
}

/** Those that the control plane controls, whatever became of its Cluster. */
export function controlledMachines(
  context: ReconcileContext,
  { metadata }: ObservedControlPlane,
): readonly ObservedMachine[] {
  return context.sources.sourceFor(machines).byIndex(controllerIndex, metadata.uid ?? '');
}

/** Machines with the objects that were made for them, and what is outdated about them. */
export async function observeMachines(
  context: ReconcileContext,
  controlPlane: ObservedControlPlane,
  owned: readonly ObservedMachine[],
): Promise<MachineView[]> {
  const nowMs = context.clock.now();
  return Promise.all(
    owned.map(async (machine) => {
      const config = configOf(context, machine);
      const infrastructure = await infrastructureOf(context, machine);
      const outdated = rolloutReasons({ controlPlane, machine, config, infrastructure, nowMs });
      return { machine, config, infrastructure, outdated };
    }),
  );
}

function configOf(context: ReconcileContext, machine: ObservedMachine): MachineView['config'] {
  const { configRef } = machine.spec.bootstrap;
  if (configRef === undefined) return undefined;
  const key = { namespace: machine.metadata.namespace ?? '', name: configRef.name };
  return context.sources.sourceFor(kubeadmConfigs).get(key);
}

/** A provider that is not installed (any more) leaves its machines uncompared, not outdated. */
async function infrastructureOf(
  context: ReconcileContext,
  machine: ObservedMachine,
): Promise<Frozen<KubeObject> | undefined> {
  const reference = machine.spec.infrastructureRef;
  try {
    const { resource } = resolveKind(context.sources, reference);
    // What happens to it is the Machine's concern and shows there.
    const source = await context.follow({ resource, map: () => [] });
    return source.get({ namespace: machine.metadata.namespace ?? '', name: reference.name });
  } catch (error) {
    if (!(error instanceof ReconcileError)) throw error;
    context.logger.warn({ Machine: nameOf(machine), err: error }, 'Infrastructure of a machine cannot be read');
    return undefined;
  }
}
