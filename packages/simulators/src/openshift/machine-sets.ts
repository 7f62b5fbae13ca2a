import type { Frozen } from '@slipway/kube';
import {
  type MapiMachine,
  mapiMachines,
  type MapiMachineSet,
  mapiMachineSets,
  setOpenShiftCondition,
} from '@slipway/openshift';
import {
  type Controller,
  type ControllerContext,
  createController,
  done,
  edit,
  type Index,
  ifPresent,
  isDeleting,
  keyOf,
  mapToController,
  ownerReference,
  patchObject,
  type ReconcileContext,
  watch,
} from '@slipway/runtime';

type MachineSet = Frozen<MapiMachineSet>;

const ofSet: Index<MapiMachine> = {
  name: 'owning MachineSet',
  valuesOf: ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid),
};

/** Plays the controller of Machine API's sets: as many Machines as are asked for, and how many of them run. */
export function createStandInMachineSets({ random }: ControllerContext): Controller {
  return createController({
    name: 'standinmapimachineset',
    for: mapiMachineSets,
    watches: [watch(mapiMachines, { map: mapToController(mapiMachineSets) })],
    async reconcile(key, context) {
      const { sources } = context;
      const set = sources.sourceFor(mapiMachineSets).get(key);
      if (set === undefined || isDeleting(set)) return done();
      const said = set.status?.authoritativeAPI ?? '';
      const decides = said === 'MachineAPI' || (said === '' && set.spec?.authoritativeAPI !== 'ClusterAPI');
      const machines = sources
        .sourceFor(mapiMachines)
        .byIndex(ofSet, set.metadata.uid ?? '')
        .filter((machine) => !isDeleting(machine));
      if (decides) await scale(set, machines, () => Buffer.from(random.bytes(3)).toString('hex'), context);
      await report(set, machines, decides, context);
      return done();
    },
  });
}

async function scale(
  set: MachineSet,
  machines: readonly Frozen<MapiMachine>[],
  suffix: () => string,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const wanted = set.spec?.replicas ?? 1;
  for (const machine of machines.slice(wanted))
    await ifPresent(client.delete(mapiMachines, keyOf(machine), { signal }));
  const { metadata, spec } = set.spec?.template ?? {};
  for (let count = machines.length; count < wanted; count += 1) {
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
    await client.create(mapiMachines, machine, { signal });
  }
}

async function report(
  set: MachineSet,
  machines: readonly Frozen<MapiMachine>[],
  decides: boolean,
  { client, clock, signal }: ReconcileContext,
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
      clock.now(),
    );
    if (!decides || draft.status === undefined) return;
    draft.status.replicas = machines.length;
    draft.status.fullyLabeledReplicas = machines.length;
    draft.status.readyReplicas = running;
    draft.status.availableReplicas = running;
    draft.status.observedGeneration = set.metadata.generation ?? 0;
  });
  await patchObject(client, mapiMachineSets, set, after, { ownedConditions: ['Paused'], signal });
}
