/** Whom kubelets ask for certificates. */
export const signers = {
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
} as const;

const bootstrapperNamespace = 'openshift-machine-config-operator';

/** The account that new machines of an OpenShift cluster carry, and the groups that the API server gives it. */
export const nodeBootstrapper = {
  username: `system:serviceaccount:${bootstrapperNamespace}:node-bootstrapper`,
  groups: [`system:serviceaccounts:${bootstrapperNamespace}`, 'system:serviceaccounts', 'system:authenticated'],
} as const;

export const nodeUserPrefix = 'system:node:';
export const nodesGroup = 'system:nodes';
export const authenticatedGroup = 'system:authenticated';

/** What our approvals say. Others are told apart by the message. */
export const approval = {
  reason: 'NodeCSRApprove',
  message: 'This CSR was approved by the Node CSR Approver (cluster-machine-approver)',
} as const;

/** The authority behind serving certificates of kubelets. */
export const kubeletAuthority = {
  namespace: 'openshift-config-managed',
  name: 'csr-controller-ca',
  dataKey: 'ca-bundle.crt',
} as const;

/** Machines of these groups may be looked at; others are a mistake in the flags. */
export const machineGroups = ['machine.openshift.io', 'cluster.x-k8s.io'] as const;
export type MachineGroup = (typeof machineGroups)[number];

export function isMachineGroup(text: string): text is MachineGroup {
  return machineGroups.some((group) => group === text);
}

/** How far two clocks may differ. */
export const clockSkewMs = 10_000;
