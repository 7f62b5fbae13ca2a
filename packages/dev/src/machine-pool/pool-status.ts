import type { Frozen } from '@slipway/kube';
import { type ConditionTarget, deleteCondition, edit, isDeleting, setCondition } from '@slipway/runtime';
import { devAnnotations, type DevMachine, type DevMachinePool, devMachinePools, devMachines } from '../api/index.js';
import type { Missing } from './prerequisites.js';
import type { PoolScope } from './reconcile.js';

type Instance = NonNullable<NonNullable<DevMachinePool['status']>['instances']>[number];

/** Writes the status: the machines of the pool, and conditions that name missing prerequisites. */
export async function writeStatus(scope: PoolScope, missing?: Missing): Promise<void> {
  const { context, devPool, pool, members } = scope;
  const instances = members
    .filter((member) => !isDeleting(member))
    .map(instanceOf)
    .sort((left, right) => ((left.instanceName ?? '') < (right.instanceName ?? '') ? -1 : 1));
  const providerIds = instances.flatMap(({ providerID }) => (providerID === undefined ? [] : [providerID]));
  const after = edit(devPool, (draft) => {
    draft.spec ??= {};
    draft.spec.providerIDList = providerIds;
    draft.status ??= {};
    draft.status.infrastructureMachineKind = devMachines.kind;
    draft.status.instances = instances;
    draft.status.replicas = providerIds.length;
    draft.status.ready = missing === undefined && providerIds.length === (pool.spec.replicas ?? 1);
    draft.status.observedGeneration = draft.metadata.generation ?? 0;
    if (missing === undefined) deleteCondition(draft as ConditionTarget, 'Ready');
    else setCondition(draft as ConditionTarget, { type: 'Ready', status: 'False', ...missing }, context.clock.now());
  });
  await context.change({
    verb: 'patch',
    resource: devMachinePools,
    before: devPool,
    after,
    ownedConditions: ['Ready'],
    reason: missing?.reason ?? 'StatusUpdated',
    message: missing?.message ?? 'Updated status',
  });
}

function instanceOf(member: Frozen<DevMachine>): Instance {
  const { metadata, spec, status } = member;
  const version = metadata.annotations?.[devAnnotations.version];
  return {
    instanceName: metadata.name ?? '',
    ready: status?.initialization?.provisioned === true,
    ...(spec?.providerID === undefined ? {} : { providerID: spec.providerID }),
    ...(version === undefined ? {} : { version }),
    addresses: (status?.addresses ?? []).map((address) => ({ ...address })),
  };
}
