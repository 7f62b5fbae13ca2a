import type { CauseName, WaitState } from '../../../packages/insight/src/why/index.js';
import type { Situation } from '../situation.js';

interface Row {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly conditions: readonly string[];
  readonly cause: CauseName;
  readonly state: WaitState;
  readonly next: string;
}

function operator({ name, apiVersion, kind, conditions, cause, state, next }: Row): Situation {
  return {
    name,
    stage: 'available',
    objects: [{ apiVersion, kind, metadata: { name: 'config' }, status: { conditions } }],
    broken: [],
    subject: `${kind}/config`,
    expect: { cause, state, object: `${kind}/=config`, exitCode: state === 'progress' ? 6 : 1, next },
  };
}

const drivers = { apiVersion: 'vdo.vmware.com/v1alpha1', next: 'slipway drivers status' } as const;
const provider = {
  apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
  cause: 'ProviderNotInstalled',
  state: 'blocked',
} as const;
const describe = (kind: string): string => `kubectl describe ${kind}/config -n $namespace`;
const inGroup = (kind: string, group: string): string => describe(`${kind}.${group}`);

/** The driver operator. */
export const driverSituations: readonly Situation[] = [
  operator({
    ...drivers,
    name: 'vCenter rejects the credentials of the drivers',
    kind: 'VsphereCloudConfig',
    conditions: [
      'Authenticated=False InvalidLogin: incorrect user name or password',
      'Ready=False InvalidLogin: incorrect',
    ],
    cause: 'CredentialsRejected',
    state: 'blocked',
  }),
  operator({
    ...drivers,
    name: 'the Secret of a driver connection does not exist',
    kind: 'VsphereCloudConfig',
    conditions: [
      'Reachable=False SecretNotFound: Secret kube-system/vcenter not found',
      'Ready=False SecretNotFound: not found',
    ],
    cause: 'CredentialsRejected',
    state: 'blocked',
  }),
  operator({
    ...drivers,
    name: 'the vCenter of the drivers is unreachable',
    kind: 'VsphereCloudConfig',
    conditions: ['Reachable=False Unreachable: connect ETIMEDOUT', 'Ready=False Unreachable: connect ETIMEDOUT'],
    cause: 'VCenterUnreachable',
    state: 'failing',
  }),
  operator({
    ...drivers,
    name: 'no version of the storage driver is compatible',
    kind: 'VDOConfig',
    conditions: [
      'VersionsResolved=False NoCompatibleCSI: no CSI version supports Kubernetes 1.35 on vSphere 6.7',
      'Degraded=False AsExpected:',
      'Ready=False NoCompatibleCSI: VersionsResolved: no CSI version',
    ],
    cause: 'DriversNotInstalled',
    state: 'blocked',
  }),
  operator({
    ...drivers,
    name: 'the vCenter version is not supported by the drivers',
    kind: 'VsphereCloudConfig',
    conditions: [
      'VersionSupported=False VersionUnsupported: vCenter 6.5',
      'Ready=False VersionUnsupported: vCenter 6.5',
    ],
    cause: 'DriversNotInstalled',
    state: 'blocked',
  }),
];

/** The provider operator. */
export const providerOperatorSituations: readonly Situation[] = [
  operator({
    ...provider,
    name: 'the version of a provider does not exist',
    kind: 'InfrastructureProvider',
    conditions: [
      'ProviderInstalled=False ComponentsFetchError: release v9.9.9 not found',
      'Ready=False NotReady: not installed',
    ],
    next: describe('infrastructureprovider'),
  }),
  operator({
    ...provider,
    name: 'the configuration Secret of a provider does not exist',
    kind: 'CoreProvider',
    conditions: [
      'ProviderInstalled=False ConfigSecretNotFound: Secret capi-config not found',
      'Ready=False NotReady: none',
    ],
    next: describe('coreprovider'),
  }),
  operator({
    ...provider,
    name: 'a provider implements a contract that Cluster API does not support',
    kind: 'InfrastructureProvider',
    conditions: [
      'PreflightCheckPassed=False CAPIVersionIncompatibility: contract v1alpha3',
      'Ready=False NotReady: none',
    ],
    next: describe('infrastructureprovider'),
  }),
];

/** OpenShift. */
export const openshiftSituations: readonly Situation[] = [
  operator({
    name: 'the cluster operator of OpenShift is degraded',
    apiVersion: 'config.openshift.io/v1',
    kind: 'ClusterOperator',
    conditions: [
      'Degraded=True ProviderMissing: no provider for platform None',
      'Available=True AsExpected:',
      'Progressing=False AsExpected:',
    ],
    cause: 'OperatorDegraded',
    state: 'failing',
    next: inGroup('clusteroperator', 'config.openshift.io'),
  }),
  operator({
    name: 'a Machine of the Machine API cannot be converted',
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    conditions: ['Synchronized=False FailedToGetCAPIMachineSet: MachineSet not found'],
    cause: 'OperatorDegraded',
    state: 'failing',
    next: inGroup('machineset', 'machine.openshift.io'),
  }),
];
