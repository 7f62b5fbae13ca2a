import { clusterNameOf, kubectlWords, type Observed, refOf } from '../../objects/index.js';
import type { Diagnosis } from '../diagnosis.js';
import type { Facts } from '../facts.js';

/** Objects that nobody looks after any more: mostly they stand for something that costs money. */
export function checkOrphans(facts: Facts): Diagnosis[] {
  return facts.set.objects.flatMap((object) => [
    ...withoutCluster(object, facts),
    ...withoutOwner(object, facts),
    ...withoutMachine(object, facts),
  ]);
}

function isLeft(object: Observed): boolean {
  return (object.metadata.deletionTimestamp ?? '') === '' && !object.kind.endsWith('Template');
}

function withoutCluster(object: Observed, { set }: Facts): Diagnosis[] {
  const name = clusterNameOf(object);
  const namespace = object.metadata.namespace ?? '';
  if (name === undefined || object.kind === 'Cluster' || !isLeft(object)) return [];
  if (set.get({ group: 'cluster.x-k8s.io', kind: 'Cluster', namespace, name }) !== undefined) return [];
  const where = refOf(object);
  const isSecret = object.kind === 'Secret';
  return [
    {
      area: 'orphans',
      severity: isSecret ? 'info' : 'warning',
      what: `it belongs to the Cluster ${name}, which does not exist`,
      where,
      remedy: isSecret
        ? `if the cluster is gone for good: \`kubectl delete ${kubectlWords(where)}\``
        : `\`slipway why ${kubectlWords(where)}\``,
    },
  ];
}

/** Owners that are gone should have taken it along. */
function withoutOwner(object: Observed, { set }: Facts): Diagnosis[] {
  const owner = object.metadata.ownerReferences?.find((one) => one.controller === true);
  if (owner === undefined || !isLeft(object) || !isRead(owner.kind, set) || set.byUid(owner.uid) !== undefined)
    return [];
  const where = refOf(object);
  return [
    {
      area: 'orphans',
      severity: 'warning',
      what: `its owner ${owner.kind} ${owner.name} does not exist any more`,
      where,
      remedy: `\`kubectl delete ${kubectlWords(where)}\`, which cleans up what it stands for`,
    },
  ];
}

function isRead(kind: string, set: Facts['set']): boolean {
  return (
    [
      'Cluster',
      'Machine',
      'MachineSet',
      'MachineDeployment',
      'MachinePool',
      'KubeadmControlPlane',
      'KubeadmConfig',
    ].includes(kind) || set.ofKind(kind).length > 0
  );
}

/** A machine of a provider without the Machine that wanted it. */
function withoutMachine(object: Observed, { set }: Facts): Diagnosis[] {
  const { group } = refOf(object);
  const isMachine = group.startsWith('infrastructure.') && object.kind.endsWith('Machine');
  if (!isMachine || !isLeft(object) || (object.metadata.ownerReferences ?? []).length > 0) return [];
  const used = set
    .ofKind('Machine')
    .some(({ metadata }) => metadata.name === object.metadata.name && metadata.namespace === object.metadata.namespace);
  if (used) return [];
  const where = refOf(object);
  return [
    {
      area: 'orphans',
      severity: 'warning',
      what: 'it has no owner: no Machine wants it',
      where,
      remedy: `\`kubectl delete ${kubectlWords(where)}\`, which removes the virtual machine`,
    },
  ];
}
