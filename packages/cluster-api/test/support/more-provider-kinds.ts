import type { Kind } from '@slipway/kube';
import { defineKind, freeObject, optional } from '@slipway/kube/kit';
import type { KindSet } from '@slipway/plane';
import { type Resource, resourceOf } from '@slipway/runtime';
import { bindAdmission, clusterApiAdmission, featureGateDefaults, type FindDefinition } from '../../src/index.js';
import { infrastructureGroup, kindsWithProvider } from './provider-kinds.js';

function infrastructureKind<K extends string>(kind: K, labels: Record<string, string>) {
  return defineKind({
    group: infrastructureGroup,
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: 'Namespaced',
    labels,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { spec: optional(freeObject()), status: optional(freeObject()) },
        subresources: { status: true },
      },
    ],
  });
}

const newContract = { 'cluster.x-k8s.io/v1beta2': 'v1' };
const oldContract = { 'cluster.x-k8s.io/v1beta1': 'v1' };
const kinds = {
  testCluster: infrastructureKind('TestCluster', newContract),
  oldCluster: infrastructureKind('OldCluster', oldContract),
  oldMachine: infrastructureKind('OldMachine', oldContract),
  strangeMachine: infrastructureKind('StrangeMachine', {}),
};
const plain = (kind: Kind): Resource => resourceOf(kind as never);

export const testClusters = plain(kinds.testCluster);
/** A kind of the v1beta1 contract. */
export const oldClusters = plain(kinds.oldCluster);
export const oldMachines = plain(kinds.oldMachine);
/** A kind without a contract label. */
export const strangeMachines = plain(kinds.strangeMachine);

export function kindsOfAllContracts(findDefinition: FindDefinition): KindSet {
  const set = kindsWithProvider(findDefinition);
  const rules = bindAdmission(clusterApiAdmission, { ...featureGateDefaults, RuntimeSDK: true, ClusterTopology: true });
  return { ...set, kinds: [...set.kinds, ...Object.values(kinds)], rules };
}
