/** Signers of kubelet certificates. */
export const signers = {
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
} as const;

const bootstrapperNamespace = 'openshift-machine-config-operator';

/** Bootstrap service account of new machines of an OpenShift cluster, and its groups. */
export const nodeBootstrapper = {
  username: `system:serviceaccount:${bootstrapperNamespace}:node-bootstrapper`,
  groups: [`system:serviceaccounts:${bootstrapperNamespace}`, 'system:serviceaccounts', 'system:authenticated'],
} as const;

export const nodeUserPrefix = 'system:node:';
export const nodesGroup = 'system:nodes';
export const authenticatedGroup = 'system:authenticated';

/** Reason and message of approvals. This approver recognizes its own approvals by the message. */
export const approval = {
  reason: 'NodeCSRApprove',
  message: 'This CSR was approved by the Node CSR Approver (cluster-machine-approver)',
} as const;

/** ConfigMap with the CA of kubelet serving certificates. */
export const kubeletAuthority = {
  namespace: 'openshift-config-managed',
  name: 'csr-controller-ca',
  dataKey: 'ca-bundle.crt',
} as const;

/** Supported API groups of Machines. */
export const machineGroups = ['machine.openshift.io', 'cluster.x-k8s.io'] as const;
export type MachineGroup = (typeof machineGroups)[number];

export function isMachineGroup(text: string): text is MachineGroup {
  return machineGroups.some((group) => group === text);
}

/** Tolerated clock skew. */
export const clockSkewMs = 10_000;
