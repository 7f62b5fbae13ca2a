import type { KubeObject } from '@slipway/kube';

const rbac = 'rbac.authorization.k8s.io';
const version = `${rbac}/v1`;
const bootstrappers = 'system:bootstrappers:kubeadm:default-node-token';
const systemNamespace = 'kube-system';
const publicNamespace = 'kube-public';

interface Subject {
  readonly kind: 'Group' | 'User' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
}

const group = (name: string): Subject => ({ kind: 'Group', name });
const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: systemNamespace });

function subjectsOf(subjects: readonly Subject[]): object[] {
  return subjects.map((subject) =>
    subject.kind === 'ServiceAccount' ? { ...subject } : { ...subject, apiGroup: rbac },
  );
}

function role(name: string, namespace: string | undefined, rules: readonly object[]): KubeObject {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  return {
    apiVersion: version,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    rules: [...rules],
  };
}

function binding(
  name: string,
  namespace: string | undefined,
  roleName: string,
  subjects: readonly Subject[],
  roleKind: 'Role' | 'ClusterRole' = namespace === undefined ? 'ClusterRole' : 'Role',
): KubeObject {
  return {
    apiVersion: version,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: rbac, kind: roleKind, name: roleName },
    subjects: subjectsOf(subjects),
  };
}

function readConfigMap(name: string): object {
  return { apiGroups: [''], resources: ['configmaps'], resourceNames: [name], verbs: ['get'] };
}

/** Returns the roles and bindings that `kubeadm init` creates. */
export function kubeadmPolicy(): readonly KubeObject[] {
  const nodes = [group('system:nodes'), group(bootstrappers)];
  return [
    role('kubeadm:get-nodes', undefined, [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]),
    binding('kubeadm:get-nodes', undefined, 'kubeadm:get-nodes', [group(bootstrappers)]),
    binding('kubeadm:cluster-admins', undefined, 'cluster-admin', [group('kubeadm:cluster-admins')]),
    binding('kubeadm:kubelet-bootstrap', undefined, 'system:node-bootstrapper', [group(bootstrappers)]),
    binding(
      'kubeadm:node-autoapprove-bootstrap',
      undefined,
      'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
      [group(bootstrappers)],
    ),
    binding(
      'kubeadm:node-autoapprove-certificate-rotation',
      undefined,
      'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
      [group('system:nodes')],
    ),
    binding('kubeadm:node-proxier', undefined, 'system:node-proxier', [account('kube-proxy')]),
    role('kubeadm:bootstrap-signer-clusterinfo', publicNamespace, [readConfigMap('cluster-info')]),
    binding('kubeadm:bootstrap-signer-clusterinfo', publicNamespace, 'kubeadm:bootstrap-signer-clusterinfo', [
      { kind: 'User', name: 'system:anonymous' },
    ]),
    role('kubeadm:kubelet-config', systemNamespace, [readConfigMap('kubelet-config')]),
    binding('kubeadm:kubelet-config', systemNamespace, 'kubeadm:kubelet-config', nodes),
    role('kubeadm:nodes-kubeadm-config', systemNamespace, [readConfigMap('kubeadm-config')]),
    binding('kubeadm:nodes-kubeadm-config', systemNamespace, 'kubeadm:nodes-kubeadm-config', nodes),
    role('kube-proxy', systemNamespace, [readConfigMap('kube-proxy')]),
    binding('kube-proxy', systemNamespace, 'kube-proxy', [group(bootstrappers)]),
    role('system:coredns', undefined, [
      { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
      { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
    ]),
    binding('system:coredns', undefined, 'system:coredns', [account('coredns')]),
  ];
}
