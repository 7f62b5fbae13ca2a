import { clusterNameOf, kubectlArguments, type Observed, refOf } from '../../objects/index.js';
import type { Diagnosis } from '../diagnosis.js';
import type { Facts } from '../facts.js';

/** Reports objects whose owner does not exist and that no controller cleans up. Most of them represent billed infrastructure. */
export function checkOrphans(facts: Facts): Diagnosis[] {
  return facts.set.objects.flatMap((object) => [
    ...withoutCluster(object, facts),
    ...withoutOwner(object, facts),
    ...withoutMachine(object, facts),
  ]);
}

function isRemaining(object: Observed): boolean {
  return (object.metadata.deletionTimestamp ?? '') === '' && !object.kind.endsWith('Template');
}

function withoutCluster(object: Observed, { set }: Facts): Diagnosis[] {
  const name = clusterNameOf(object);
  const namespace = object.metadata.namespace ?? '';
  if (name === undefined || object.kind === 'Cluster' || !isRemaining(object)) return [];
  if (set.get({ group: 'cluster.x-k8s.io', kind: 'Cluster', namespace, name }) !== undefined) return [];
  const where = refOf(object);
  const isSecret = object.kind === 'Secret';
  return [
    {
      area: 'orphans',
      severity: isSecret ? 'info' : 'warning',
      what: `the object belongs to Cluster ${name}, which does not exist`,
      where,
      remedy: isSecret
        ? `if the cluster was deleted permanently, run \`kubectl delete ${kubectlArguments(where)}\``
        : `\`slipway why ${kubectlArguments(where)}\``,
    },
  ];
}

/**
 * Reports an object whose controller owner does not exist. The garbage collector should have deleted it together with its owner.
 */
function withoutOwner(object: Observed, { set }: Facts): Diagnosis[] {
  const owner = object.metadata.ownerReferences?.find((one) => one.controller === true);
  if (owner === undefined || !isRemaining(object) || !isRead(owner.kind, set) || set.byUid(owner.uid) !== undefined)
    return [];
  const where = refOf(object);
  return [
    {
      area: 'orphans',
      severity: 'warning',
      what: `the owner ${owner.kind} ${owner.name} no longer exists`,
      where,
      remedy: `run \`kubectl delete ${kubectlArguments(where)}\`, which also cleans up its infrastructure`,
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

/** Reports an infrastructure machine without an owner and without a Machine of the same name. */
function withoutMachine(object: Observed, { set }: Facts): Diagnosis[] {
  const { group } = refOf(object);
  const isMachine = group.startsWith('infrastructure.') && /(Machine|VM)$/.test(object.kind);
  if (!isMachine || !isRemaining(object) || (object.metadata.ownerReferences ?? []).length > 0) return [];
  const used = set
    .ofKind('Machine')
    .some(({ metadata }) => metadata.name === object.metadata.name && metadata.namespace === object.metadata.namespace);
  if (used) return [];
  const where = refOf(object);
  return [
    {
      area: 'orphans',
      severity: 'warning',
      what: 'the object has no owner and no Machine references it',
      where,
      remedy: `run \`kubectl delete ${kubectlArguments(where)}\`, which removes the virtual machine`,
    },
  ];
}
