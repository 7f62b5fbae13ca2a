import { annotations } from '@slipway/cluster-api';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { type Conditioned, getCondition } from '@slipway/runtime';
import type { MapiMachine, MapiMachineSet } from '../src/index.js';

export const mapiNamespace = 'openshift-machine-api';
export const capiNamespace = 'openshift-cluster-api';
export const syncFinalizer = 'sync.machine.openshift.io/finalizer';

export const providerSpecs: Readonly<Record<string, JsonObject>> = {
  AWS: {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'AWSMachineProviderConfig',
    ami: { id: 'ami-1' },
    instanceType: 'm6i.large',
    placement: { region: 'us-east-2', availabilityZone: 'us-east-2a' },
    subnet: { id: 'subnet-1' },
    credentialsSecret: { name: 'aws-cloud-credentials' },
    userDataSecret: { name: 'worker-user-data' },
  },
  OpenStack: {
    apiVersion: 'machine.openshift.io/v1alpha1',
    kind: 'OpenstackProviderSpec',
    flavor: 'm1.large',
    image: 'rhcos',
    cloudName: 'openstack',
    cloudsSecret: { name: 'openstack-cloud-credentials' },
    availabilityZone: 'nova',
    userDataSecret: { name: 'worker-user-data' },
  },
};

export const roleLabels = {
  'machine.openshift.io/cluster-api-machine-role': 'worker',
  'machine.openshift.io/cluster-api-machine-type': 'worker',
};

export function mapiMachine(
  name: string,
  value: JsonObject,
  authoritativeAPI: 'MachineAPI' | 'ClusterAPI',
): MapiMachine {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { namespace: mapiNamespace, name, labels: { ...roleLabels, team: 'blue' } },
    spec: { providerSpec: { value }, authoritativeAPI },
  };
}

export function mapiSet(
  name: string,
  value: JsonObject,
  authoritativeAPI: 'MachineAPI' | 'ClusterAPI',
): MapiMachineSet {
  const labels = { ...roleLabels, 'machine.openshift.io/cluster-api-machineset': name };
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: { namespace: mapiNamespace, name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { 'machine.openshift.io/cluster-api-machineset': name } },
      template: { metadata: { labels }, spec: { providerSpec: { value } } },
      authoritativeAPI,
    },
  };
}

export interface Migrated extends KubeObject {
  spec?: { authoritativeAPI?: string };
  status?: { authoritativeAPI?: string; synchronizedGeneration?: number; phase?: string };
}

export function conditionText(object: Frozen<KubeObject> | undefined, type: string): string {
  const { status = '', reason = '' } = (object && getCondition(object as Conditioned, type)) ?? {};
  return `${status} ${reason}`.trim();
}

export const authorityOf = (object: Frozen<KubeObject> | undefined): string | undefined =>
  (object as Frozen<Migrated> | undefined)?.status?.authoritativeAPI;
export const isPaused = (object: Frozen<KubeObject> | undefined): boolean =>
  Object.hasOwn(object?.metadata.annotations ?? {}, annotations.paused);

export function statusOf(object: Frozen<KubeObject> | undefined): JsonObject {
  return (object?.['status'] as JsonObject | undefined) ?? {};
}
