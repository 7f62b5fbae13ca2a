import { definitionNameOf, flagAt } from '@slipway/cluster-api';
import {
  clusterNameOf,
  kubectlWords,
  type Observed,
  type Reference,
  referencesOf,
  refOf,
  refText,
} from '../../objects/index.js';
import type { Finding } from '../explanation.js';
import { clusterRef, finding, isDeleting, type Rule, type View } from '../view.js';

/** The Cluster that the object says it belongs to. */
export const missingCluster: Rule = (object, { set }) => {
  const name = clusterNameOf(object);
  if (name === undefined || object.kind === 'Cluster') return undefined;
  const target = clusterRef(object.metadata.namespace ?? '', name);
  if (set.get(target) !== undefined) return undefined;
  return finding(
    'ClusterMissing',
    object,
    `${refText(refOf(object))} belongs to the Cluster ${name}, which does not exist`,
    {
      evidence: [
        { object: refOf(object), fact: `spec.clusterName or the label cluster.x-k8s.io/cluster-name is ${name}` },
      ],
      next: [`kubectl get clusters -n ${target.namespace}`, `slipway unblock ${kubectlWords(refOf(object))} --dry-run`],
    },
  );
};

/** References that must be followed for the object to get on, and lead nowhere. */
export const missingReference: Rule = (object, view) => {
  for (const reference of referencesOf(object)) {
    if (reference.field.to === 'Cluster' || reference.field.to === 'IPAddress') continue;
    const found = judge(object, reference, view);
    if (found !== undefined) return found;
  }
  return undefined;
};

function judge(object: Observed, reference: Reference, { set }: View): Finding | undefined {
  const { target, path } = reference;
  const absence = set.absence(target);
  const what = refText(target);
  const evidence = [{ object: refOf(object), fact: `${path} names ${what}` }];
  switch (absence) {
    case undefined:
      return undefined;
    case 'no-definition': {
      const definition = definitionNameOf(target.group, target.kind);
      return finding(
        'KindNotInstalled',
        object,
        `${path} names ${what}, but the kind ${target.kind} of ${target.group} is not installed`,
        {
          evidence: [
            ...evidence,
            { object: refOf(object), fact: `there is no CustomResourceDefinition ${definition}` },
          ],
          next: [`kubectl get crd ${definition}`, 'slipway doctor'],
        },
      );
    }
    case 'no-contract': {
      const definition = definitionNameOf(target.group, target.kind);
      return finding(
        'ContractMissing',
        object,
        `${path} names ${what}, but the definition ${definition} has no label cluster.x-k8s.io/<contract>`,
        {
          evidence,
          object: { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '', name: definition },
          next: [`kubectl get crd ${definition} --show-labels`],
        },
      );
    }
    case 'no-object':
      return isDeleting(object) ? undefined : missingObject(object, reference);
  }
}

function missingObject(object: Observed, { target, path, field }: Reference): Finding | undefined {
  const evidence = [{ object: refOf(object), fact: `${path} names ${refText(target)}` }];
  const list = `kubectl get ${target.kind.toLowerCase()} -n ${target.namespace}`;
  if (field.to === 'ClusterClass')
    return finding('ClassMissing', object, `spec.topology.classRef names ${refText(target)}, which does not exist`, {
      evidence,
      next: ['kubectl get clusterclasses -A'],
    });
  if (field.to === 'ConfigMap or Secret')
    return finding('AddOnResourceMissing', object, `${path} names ${refText(target)}, which does not exist`, {
      evidence,
      next: [list],
    });
  if (field.to === 'AddressPool')
    return finding('AddressPoolNotReady', object, `${path} names ${refText(target)}, which does not exist`, {
      evidence,
      next: [list],
    });
  if (field.to.endsWith('Infrastructure') && wasProvisioned(object))
    return finding(
      'InfrastructureGone',
      object,
      `${refText(target)} has been deleted under ${refText(refOf(object))}`,
      {
        evidence,
        next: object.kind === 'Machine' ? [`kubectl delete ${kubectlWords(refOf(object))}`] : [list],
      },
    );
  // Data that was made before is enough for a machine that runs.
  if (field.to === 'BootstrapConfig' && flagAt(object, 'status', 'initialization', 'bootstrapDataSecretCreated'))
    return undefined;
  return finding('ReferenceMissing', object, `${path} names ${refText(target)}, which does not exist`, {
    evidence,
    next: [list],
  });
}

function wasProvisioned(object: Observed): boolean {
  return flagAt(object, 'status', 'initialization', 'infrastructureProvisioned');
}
