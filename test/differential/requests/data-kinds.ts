import type { Script } from '../script.js';
import { core, group, type Kind, labels, lifecycleOf, object } from './kind.js';

const data: readonly Kind[] = [
  {
    path: `${core}/secrets`,
    valid: object('v1', 'Secret', 'sec', { stringData: { a: 'x' }, data: { b: 'eA==' } }),
    broken: object('v1', 'Secret', 'bad', { type: 'kubernetes.io/tls', data: { 'a b': 'eA==' } }),
  },
  {
    path: `${core}/secrets`,
    valid: object('v1', 'Secret', 'basic', { type: 'kubernetes.io/basic-auth', stringData: { username: 'u' } }),
    broken: object('v1', 'Secret', 'bad', {
      type: 'kubernetes.io/dockerconfigjson',
      stringData: { '.dockerconfigjson': '{' },
    }),
  },
  {
    path: `${core}/serviceaccounts`,
    valid: object('v1', 'ServiceAccount', 'sa'),
    broken: object('v1', 'ServiceAccount', 'Bad'),
  },
  {
    path: `${core}/services`,
    valid: object('v1', 'Service', 'svc', { spec: { selector: labels, ports: [{ port: 80 }] } }),
    broken: object('v1', 'Service', 'bad', {
      spec: { type: 'X', ports: [{ port: 0, protocol: 'Y' }, { port: 70000 }], clusterIP: 'x' },
    }),
  },
  {
    path: `${core}/services`,
    valid: object('v1', 'Service', 'headless', {
      spec: { clusterIP: 'None', selector: labels, ports: [{ port: 80, name: 'a', targetPort: 'http' }] },
    }),
    broken: object('v1', 'Service', 'bad', { spec: { type: 'ExternalName', ports: [] } }),
  },
  {
    path: `${core}/services`,
    valid: object('v1', 'Service', 'np', {
      spec: {
        type: 'NodePort',
        ports: [
          { port: 80, name: 'a' },
          { port: 81, name: 'b', protocol: 'UDP' },
        ],
      },
    }),
    broken: object('v1', 'Service', 'bad', { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 5 }] } }),
  },
  {
    path: `${core}/services`,
    valid: object('v1', 'Service', 'ext', { spec: { type: 'ExternalName', externalName: 'example.com' } }),
    broken: object('v1', 'Service', 'bad', { spec: { ports: [{ port: 80 }, { port: 81 }], sessionAffinity: 'X' } }),
  },
  {
    path: `${core}/services`,
    valid: object('v1', 'Service', 'lb', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
    broken: object('v1', 'Service', 'bad', { spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] } }),
  },
  {
    path: `${core}/endpoints`,
    valid: object('v1', 'Endpoints', 'ep', { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] }),
    broken: object('v1', 'Endpoints', 'bad', {
      subsets: [{ addresses: [{ ip: 'x' }, { ip: '127.0.0.1' }], ports: [{ port: 0 }] }],
    }),
  },
  {
    path: `${group('discovery.k8s.io/v1')}/endpointslices`,
    valid: object('discovery.k8s.io/v1', 'EndpointSlice', 'es', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'] }],
      ports: [{ port: 80 }],
    }),
    broken: object('discovery.k8s.io/v1', 'EndpointSlice', 'bad', {
      addressType: 'IPv5',
      endpoints: [{ addresses: [] }],
    }),
  },
  {
    path: `${core}/events`,
    valid: object('v1', 'Event', 'e', {
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'kinds' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
    }),
    broken: object('v1', 'Event', 'bad', { involvedObject: { namespace: 'other' } }),
  },
  {
    path: `${group('events.k8s.io/v1')}/events`,
    valid: object('events.k8s.io/v1', 'Event', 'e2', {
      eventTime: '2024-01-02T03:04:05.000006Z',
      reportingController: 'c.example.com/x',
      reportingInstance: 'i',
      action: 'A',
      reason: 'R',
      type: 'Normal',
      regarding: { kind: 'Pod', name: 'p', namespace: 'kinds' },
    }),
    broken: object('events.k8s.io/v1', 'Event', 'bad', { type: 'X' }),
  },
  {
    path: `${core}/persistentvolumeclaims`,
    valid: object('v1', 'PersistentVolumeClaim', 'pvc', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
    broken: object('v1', 'PersistentVolumeClaim', 'bad', { spec: { accessModes: ['X'] } }),
  },
  {
    path: `${core}/limitranges`,
    valid: object('v1', 'LimitRange', 'lr', {
      spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '10Gi' } }] },
    }),
    broken: object('v1', 'LimitRange', 'bad', {
      spec: { limits: [{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }] },
    }),
  },
  {
    path: `${core}/resourcequotas`,
    controlled: true,
    valid: object('v1', 'ResourceQuota', 'rq', { spec: { hard: { 'count/widgets.example.com': '5' } } }),
    broken: object('v1', 'ResourceQuota', 'bad', { spec: { hard: { pods: '-1' } } }),
  },
  {
    path: `${group('coordination.k8s.io/v1')}/leases`,
    valid: object('coordination.k8s.io/v1', 'Lease', 'l', {
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        renewTime: '2024-01-02T03:04:05.000006Z',
        acquireTime: '2024-01-02T03:04:05Z',
      },
    }),
    broken: object('coordination.k8s.io/v1', 'Lease', 'bad', {
      spec: { leaseDurationSeconds: 0, leaseTransitions: -1 },
    }),
  },
  {
    path: `${group('networking.k8s.io/v1')}/ingresses`,
    valid: object('networking.k8s.io/v1', 'Ingress', 'i', {
      spec: {
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
    }),
    broken: object('networking.k8s.io/v1', 'Ingress', 'bad', {
      spec: { rules: [{ host: 'A_B', http: { paths: [{ path: 'x', backend: {} }] } }] },
    }),
  },
  {
    path: `${group('networking.k8s.io/v1')}/networkpolicies`,
    valid: object('networking.k8s.io/v1', 'NetworkPolicy', 'n', {
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
    }),
    broken: object('networking.k8s.io/v1', 'NetworkPolicy', 'bad', { spec: { podSelector: {}, policyTypes: ['X'] } }),
  },
  {
    path: `${group('rbac.authorization.k8s.io/v1')}/roles`,
    valid: object('rbac.authorization.k8s.io/v1', 'Role', 'r', {
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    }),
    broken: object('rbac.authorization.k8s.io/v1', 'Role', 'bad', {
      rules: [{ verbs: [] }, { verbs: ['get'], nonResourceURLs: ['/x'] }],
    }),
  },
  {
    path: `${group('rbac.authorization.k8s.io/v1')}/rolebindings`,
    valid: object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rb', {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'kinds' },
      ],
    }),
    broken: object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'bad', {
      roleRef: { kind: 'X', name: '' },
      subjects: [{ kind: 'Y', name: '' }],
    }),
  },
  {
    path: `${group('apps/v1')}/controllerrevisions`,
    valid: object('apps/v1', 'ControllerRevision', 'cr', { revision: 1, data: { a: 1 } }),
    broken: object('apps/v1', 'ControllerRevision', 'bad', { revision: -1 }),
  },
];

export const dataKinds: Script = { name: 'data kinds', steps: data.flatMap(lifecycleOf) };
