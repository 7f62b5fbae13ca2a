import type { Frozen } from '@slipway/kube';
import {
  type MapiMachine,
  mapiMachines,
  type MapiMachineSet,
  mapiMachineSets,
  setOpenShiftCondition,
} from '@slipway/openshift';
import {
  type Change,
  type Controller,
  type ControllerContext,
  createController,
  done,
  edit,
  type Index,
  isDeleting,
  keyOf,
  mapToController,
  ownerReference,
  type ReconcileContext,
  watch,
} from '@slipway/runtime';

type MachineSet = Frozen<MapiMachineSet>;

const ofSet: Index<MapiMachine> = {
  name: 'owning MachineSet',
  valuesOf: ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid),
};

/**
 * Simulates the MachineSet controller of Machine API: maintains the desired number of Machines and reports how many
 * run.
 */
export function createSimulatedMachineSets({ random }: ControllerContext): Controller {
  return createController({
    name: 'simulatedmapimachineset',
    for: mapiMachineSets,
    watches: [watch(mapiMachines, { map: mapToController(mapiMachineSets) })],
    async reconcile(key, context) {
      const { sources } = context;
      const set = sources.sourceFor(mapiMachineSets).get(key);
      if (set === undefined || isDeleting(set)) return done();
      const reported = set.status?.authoritativeAPI ?? '';
      const decides = reported === 'MachineAPI' || (reported === '' && set.spec?.authoritativeAPI !== 'ClusterAPI');
      const machines = sources
        .sourceFor(mapiMachines)
        .byIndex(ofSet, set.metadata.uid ?? '')
        .filter((machine) => !isDeleting(machine));
      const suffix = (): string => Buffer.from(random.bytes(3)).toString('hex');
      if (decides) await context.changeAll(planScale(set, machines, suffix));
      await report(set, machines, decides, context);
      return done();
    },
  });
}

function planScale(set: MachineSet, machines: readonly Frozen<MapiMachine>[], suffix: () => string): readonly Change[] {
  const desired = set.spec?.replicas ?? 1;
  const scaling = `to scale MachineSet ${set.metadata.name ?? ''} from ${machines.length} to ${desired} replicas`;
  const changes: Change[] = machines.slice(desired).map((machine) => ({
    verb: 'delete',
    resource: mapiMachines,
    key: keyOf(machine),
    reason: 'ScalingDown',
    message: `Deleted Machine ${machine.metadata.name ?? ''} ${scaling}`,
  }));
  const { metadata, spec } = set.spec?.template ?? {};
  for (let count = machines.length; count < desired; count += 1) {
    const machine: MapiMachine = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: {
        namespace: set.metadata.namespace ?? '',
        name: `${set.metadata.name ?? ''}-${suffix()}`,
        labels: { ...metadata?.labels },
        annotations: { ...metadata?.annotations },
        ownerReferences: [ownerReference(set, { controller: true })],
      },
      spec: { ...(structuredClone(spec) as NonNullable<MapiMachine['spec']>), authoritativeAPI: 'MachineAPI' },
    };
    const message = `Created Machine ${machine.metadata.name ?? ''} ${scaling}`;
    changes.push({ verb: 'create', resource: mapiMachines, object: machine, reason: 'ScalingUp', message });
  }
  return changes;
}

async function report(
  set: MachineSet,
  machines: readonly Frozen<MapiMachine>[],
  decides: boolean,
  context: ReconcileContext,
): Promise<void> {
  const running = machines.filter(({ status }) => status?.phase === 'Running').length;
  const after = edit(set, (draft) => {
    setOpenShiftCondition(
      draft,
      {
        type: 'Paused',
        status: decides ? 'False' : 'True',
        reason: decides ? 'AuthoritativeAPIMachineAPI' : 'AuthoritativeAPINotMachineAPI',
        message: '',
      },
      context.clock.now(),
    );
    if (!decides || draft.status === undefined) return;
    draft.status.replicas = machines.length;
    draft.status.fullyLabeledReplicas = machines.length;
    draft.status.readyReplicas = running;
    draft.status.availableReplicas = running;
    draft.status.observedGeneration = set.metadata.generation ?? 0;
  });
  await context.change({
    verb: 'status',
    resource: mapiMachineSets,
    before: set,
    after,
    ownedConditions: ['Paused'],
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
}
