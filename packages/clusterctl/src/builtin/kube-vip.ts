const image = 'ghcr.io/kube-vip/kube-vip:v0.6.4';
const manifestPath = '/etc/kubernetes/manifests/kube-vip.yaml';

interface KubeVipOptions {
  /** The address that moves between machines, and the interface that holds it: texts of templates. */
  readonly address: string;
  readonly interface: string;
}

export const vcenterVip: KubeVipOptions = {
  address: '${CONTROL_PLANE_ENDPOINT_IP}',
  interface: '${VIP_NETWORK_INTERFACE:=""}',
};

const environment = (options: KubeVipOptions): readonly (readonly [string, string])[] => [
  ['vip_arp', '"true"'],
  ['port', '"6443"'],
  ['vip_interface', options.interface],
  ['vip_cidr', '"32"'],
  ['cp_enable', '"true"'],
  ['cp_namespace', 'kube-system'],
  ['vip_ddns', '"false"'],
  ['svc_enable', '"true"'],
  ['svc_leasename', 'plndr-svcs-lock'],
  ['svc_election', '"true"'],
  ['vip_leaderelection', '"true"'],
  ['vip_leasename', 'plndr-cp-lock'],
  ['vip_leaseduration', '"15"'],
  ['vip_renewdeadline', '"10"'],
  ['vip_retryperiod', '"2"'],
  ['address', options.address],
  ['prometheus_server', ':2112'],
];

/** A pod that the kubelet of each control plane machine runs by itself: it holds the address of the endpoint. */
export function kubeVipPod(options: KubeVipOptions): string[] {
  return [
    'apiVersion: v1',
    'kind: Pod',
    'metadata:',
    '  name: kube-vip',
    '  namespace: kube-system',
    'spec:',
    '  containers:',
    '  - name: kube-vip',
    `    image: ${image}`,
    '    imagePullPolicy: IfNotPresent',
    '    args:',
    '    - manager',
    '    env:',
    ...environment(options).flatMap(([name, value]) => [`    - name: ${name}`, `      value: ${value}`]),
    '    securityContext:',
    '      capabilities:',
    '        add:',
    '        - NET_ADMIN',
    '        - NET_RAW',
    '    volumeMounts:',
    '    - mountPath: /etc/kubernetes/admin.conf',
    '      name: kubeconfig',
    '    - mountPath: /etc/hosts',
    '      name: etchosts',
    '  hostNetwork: true',
    '  volumes:',
    '  - hostPath:',
    '      path: /etc/kubernetes/admin.conf',
    '    name: kubeconfig',
    '  - hostPath:',
    '      path: /etc/kube-vip.hosts',
    '      type: File',
    '    name: etchosts',
  ];
}

/**
 * From Kubernetes 1.29 on admin.conf may do nothing until `kubeadm init` is nearly over, and waits for the endpoint to get
 * there: the machine that runs init mounts super-admin.conf instead.
 */
const prepareScript = [
  '#!/bin/bash',
  '',
  'set -o errexit',
  'set -o nounset',
  'set -o pipefail',
  '',
  'initializes() {',
  '  [[ -f /run/kubeadm/kubeadm.yaml ]] && return 0',
  '  [[ -f /etc/kubeadm.sh ]] && grep -q "kubeadm init" /etc/kubeadm.sh',
  '}',
  '',
  'minor="$(kubeadm version -o short | cut -d. -f2)"',
  'if [[ "$minor" -ge 29 ]] && initializes; then',
  `  sed -i 's#path: /etc/kubernetes/admin.conf#path: /etc/kubernetes/super-admin.conf#' ${manifestPath}`,
  'fi',
];

function file(path: string, permissions: string, lines: readonly string[]): string[] {
  return [
    '- content: |',
    ...lines.map((line) => (line === '' ? '' : `    ${line}`)),
    '  owner: root:root',
    `  path: ${path}`,
    `  permissions: "${permissions}"`,
  ];
}

/** The `files` of a control plane whose pod comes from elsewhere. */
export function kubeVipSupport(): string[] {
  return [
    'files:',
    // Host aliases of static pods do not work on every kubelet.
    ...file('/etc/kube-vip.hosts', '0644', ['127.0.0.1 localhost kubernetes']),
    ...file('/etc/pre-kubeadm-commands/50-kube-vip-prepare.sh', '0700', prepareScript),
  ];
}

/** The `files` of a control plane's bootstrap data. */
export function kubeVipFiles(options: KubeVipOptions = vcenterVip): string[] {
  return [...kubeVipSupport(), ...file(manifestPath, '0644', kubeVipPod(options))];
}
