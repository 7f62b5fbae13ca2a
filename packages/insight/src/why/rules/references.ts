import { definitionNameOf, flagAt } from '@slipway/cluster-api';
import {
  clusterNameOf,
  kubectlArguments,
  type Observed,
  type Reference,
  referencesOf,
  refOf,
  refText,
} from '../../objects/index.js';
import type { Finding } from '../explanation.js';
import { clusterRef, finding, isDeleting, type Rule, type View } from '../view.js';

/** Reports an object whose Cluster does not exist. */
export const missingCluster: Rule = (object, { set }) => {
  const name = clusterNameOf(object);
  if (name === undefined || object.kind === 'Cluster') return undefined;
  const target = clusterRef(object.metadata.namespace ?? '', name);
  if (set.get(target) !== undefined) return undefined;
  return finding(
    'ClusterMissing',
    object,
    `${refText(refOf(object))} belongs to Cluster ${name}, which does not exist`,
    {
      evidence: [
        { object: refOf(object), fact: `spec.clusterName or the label cluster.x-k8s.io/cluster-name is ${name}` },
      ],
      next: [
        `kubectl get clusters -n ${target.namespace}`,
        `slipway unblock ${kubectlArguments(refOf(object))} --dry-run`,
      ],
    },
  );
};

/** Reports a reference that the object needs and that cannot be resolved. */
export const missingReference: Rule = (object, view) => {
  for (const reference of referencesOf(object)) {
    if (reference.field.to === 'Cluster' || reference.field.to === 'IPAddress') continue;
    const found = unresolved(object, reference, view);
    if (found !== undefined) return found;
  }
  return undefined;
};

function unresolved(object: Observed, reference: Reference, { set }: View): Finding | undefined {
  const { target, path } = reference;
  const absence = set.absence(target);
  const targetText = refText(target);
  const evidence = [{ object: refOf(object), fact: `${path} references ${targetText}` }];
  switch (absence) {
    case undefined:
      return undefined;
    case 'no-definition': {
      const crdName = definitionNameOf(target.group, target.kind);
      return finding(
        'KindNotInstalled',
        object,
        `${path} references ${targetText}, but kind ${target.kind} of API group ${target.group} is not installed`,
        {
          evidence: [
            ...evidence,
            { object: refOf(object), fact: `the CustomResourceDefinition ${crdName} does not exist` },
          ],
          next: [`kubectl get crd ${crdName}`, 'slipway doctor'],
        },
      );
    }
    case 'no-contract': {
      const crdName = definitionNameOf(target.group, target.kind);
      return finding(
        'ContractMissing',
        object,
        `${path} references ${targetText}, but the CustomResourceDefinition ${crdName} has no label cluster.x-k8s.io/<contract>`,
        {
          evidence,
          object: { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '', name: crdName },
          next: [`kubectl get crd ${crdName} --show-labels`],
        },
      );
    }
    case 'no-object':
      return isDeleting(object) ? undefined : missingObject(object, reference);
  }
}

function missingObject(object: Observed, { target, path, field }: Reference): Finding | undefined {
  const evidence = [{ object: refOf(object), fact: `${path} references ${refText(target)}` }];
  const list = `kubectl get ${target.kind.toLowerCase()} -n ${target.namespace}`;
  if (field.to === 'ClusterClass')
    return finding(
      'ClassMissing',
      object,
      `spec.topology.classRef references ${refText(target)}, which does not exist`,
      {
        evidence,
        next: ['kubectl get clusterclasses -A'],
      },
    );
  if (field.to === 'ConfigMap or Secret')
    return finding('AddOnResourceMissing', object, `${path} references ${refText(target)}, which does not exist`, {
      evidence,
      next: [list],
    });
  if (field.to === 'AddressPool')
    return finding('AddressPoolNotReady', object, `${path} references ${refText(target)}, which does not exist`, {
      evidence,
      next: [list],
    });
  if (field.to.endsWith('Infrastructure') && wasProvisioned(object))
    return finding(
      'InfrastructureGone',
      object,
      `${refText(target)} has been deleted, but ${refText(refOf(object))} still uses it`,
      {
        evidence,
        next: object.kind === 'Machine' ? [`kubectl delete ${kubectlArguments(refOf(object))}`] : [list],
      },
    );
  // A provisioned Machine no longer needs its bootstrap config.
  if (field.to === 'BootstrapConfig' && flagAt(object, 'status', 'initialization', 'bootstrapDataSecretCreated'))
    return undefined;
  return finding('ReferenceMissing', object, `${path} references ${refText(target)}, which does not exist`, {
    evidence,
    next: [list],
  });
}

function wasProvisioned(object: Observed): boolean {
  return flagAt(object, 'status', 'initialization', 'infrastructureProvisioned');
}
