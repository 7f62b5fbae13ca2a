import { type KubeObject, stringifyYaml } from '@slipway/kube';

const namespace = 'kube-system';
const imageRepository = 'registry.k8s.io';
/** Versions that recent kubeadm releases install. The control plane provider updates them according to its spec. */
const coreDnsVersion = 'v1.11.3';

export function componentImage(component: string, version: string): string {
  return `${imageRepository}/${component}:${version.replace('+', '_')}`;
}

export const etcdImage = `${imageRepository}/etcd:3.6.4-0`;

/** Returns the add-ons of `kubeadm init`: kube-proxy, CoreDNS and the kubelet configuration. */
export function addOns(version: string): readonly KubeObject[] {
  return [
    serviceAccount('kube-proxy'),
    configMap('kube-proxy', { 'config.conf': proxyConfiguration, 'kubeconfig.conf': proxyKubeconfig }, 'kube-proxy'),
    kubeProxy(version),
    serviceAccount('coredns'),
    configMap('coredns', { Corefile: corefile }),
    coreDns(),
    dnsService(),
    configMap('kubelet-config', { kubelet: kubeletConfiguration }),
  ];
}

function serviceAccount(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
}

function configMap(name: string, data: Record<string, string>, app?: string): KubeObject {
  const labels = app === undefined ? {} : { labels: { app } };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, ...labels }, data };
}

function kubeProxy(version: string): KubeObject {
  const labels = { 'k8s-app': 'kube-proxy' };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'kube-proxy', namespace, labels },
    spec: {
      selector: { matchLabels: { ...labels } },
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        metadata: { labels: { ...labels } },
        spec: {
          priorityClassName: 'system-node-critical',
          hostNetwork: true,
          serviceAccountName: 'kube-proxy',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [{ operator: 'Exists' }],
          containers: [
            {
              name: 'kube-proxy',
              image: componentImage('kube-proxy', version),
              command: ['/usr/local/bin/kube-proxy', '--config=/var/lib/kube-proxy/config.conf'],
              volumeMounts: [{ name: 'kube-proxy', mountPath: '/var/lib/kube-proxy' }],
            },
          ],
          volumes: [{ name: 'kube-proxy', configMap: { name: 'kube-proxy' } }],
        },
      },
    },
  };
}

function coreDns(): KubeObject {
  const labels = { 'k8s-app': 'kube-dns' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'coredns', namespace, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: { ...labels } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels: { ...labels } },
        spec: {
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: 'coredns',
          dnsPolicy: 'Default',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [
            { key: 'CriticalAddonsOnly', operator: 'Exists' },
            { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
          ],
          containers: [
            {
              name: 'coredns',
              image: `${imageRepository}/coredns/coredns:${coreDnsVersion}`,
              args: ['-conf', '/etc/coredns/Corefile'],
              ports: [
                { containerPort: 53, name: 'dns', protocol: 'UDP' },
                { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
                { containerPort: 9153, name: 'metrics', protocol: 'TCP' },
              ],
              volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
            },
          ],
          volumes: [
            { name: 'config-volume', configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] } },
          ],
        },
      },
    },
  };
}

function dnsService(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kube-dns',
      namespace,
      labels: {
        'k8s-app': 'kube-dns',
        'kubernetes.io/cluster-service': 'true',
        'kubernetes.io/name': 'CoreDNS',
      },
      annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
    },
    spec: {
      clusterIP: '10.96.0.10',
      selector: { 'k8s-app': 'kube-dns' },
      ports: [
        { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
        { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
        { name: 'metrics', port: 9153, protocol: 'TCP', targetPort: 9153 },
      ],
    },
  };
}

const corefile = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30
    loop
    reload
    loadbalance
}
`;

const kubeletConfiguration = stringifyYaml({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { anonymous: { enabled: false }, webhook: { enabled: true } },
  authorization: { mode: 'Webhook' },
  cgroupDriver: 'systemd',
  clusterDNS: ['10.96.0.10'],
  clusterDomain: 'cluster.local',
  rotateCertificates: true,
  staticPodPath: '/etc/kubernetes/manifests',
});

const proxyConfiguration = stringifyYaml({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  bindAddress: '0.0.0.0',
  clientConnection: { kubeconfig: '/var/lib/kube-proxy/kubeconfig.conf' },
});

const proxyKubeconfig = stringifyYaml({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'default',
      cluster: {
        'certificate-authority': '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
        server: 'https://kubernetes.default.svc',
      },
    },
  ],
  contexts: [{ name: 'default', context: { cluster: 'default', namespace: 'default', user: 'default' } }],
  'current-context': 'default',
  users: [{ name: 'default', user: { tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' } }],
});
