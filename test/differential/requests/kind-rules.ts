import { get, patch, post, put, remove, type Script, type Step, table } from '../script.js';
import { container, core, group, labels, object, template } from './kind.js';

const rules: readonly Step[] = [
  post('a secret', `${core}/secrets`, object('v1', 'Secret', 'rules', { stringData: { a: 'x' } })),
  patch('merge', 'a secret: another type', `${core}/secrets/rules`, { type: 'example.com/other' }),
  patch('merge', 'a secret: string data', `${core}/secrets/rules`, { stringData: { a: 'y', b: 'z' } }),
  patch('merge', 'a secret: immutable', `${core}/secrets/rules`, { immutable: true }),
  patch('merge', 'a secret: changed', `${core}/secrets/rules`, { data: { a: 'eA==' } }),
  post(
    'a token Secret without a ServiceAccount',
    `${core}/secrets`,
    object('v1', 'Secret', 'tok', { type: 'kubernetes.io/service-account-token' }),
  ),
  post('a service', `${core}/services`, object('v1', 'Service', 'rules', { spec: { ports: [{ port: 80 }] } })),
  patch('merge', 'a service: another address', `${core}/services/rules`, { spec: { clusterIP: '10.0.0.77' } }),
  patch('merge', 'a service: a node port', `${core}/services/rules`, { spec: { type: 'NodePort' } }),
  patch('merge', 'a service: back', `${core}/services/rules`, { spec: { type: 'ClusterIP' } }),
  patch('merge', 'a service: status', `${core}/services/rules/status`, {
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } },
  }),
  post(
    'a deployment',
    `${group('apps/v1')}/deployments`,
    object('apps/v1', 'Deployment', 'rules', { spec: { selector: { matchLabels: labels }, template } }),
  ),
  patch('merge', 'a deployment: the selector', `${group('apps/v1')}/deployments/rules`, {
    spec: { selector: { matchLabels: { b: 'c' } } },
  }),
  put('a deployment: scale', `${group('apps/v1')}/deployments/rules/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'rules', namespace: 'kinds' },
    spec: { replicas: 5 },
  }),
  put('a deployment: a bad scale', `${group('apps/v1')}/deployments/rules/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'rules', namespace: 'kinds' },
    spec: { replicas: -5 },
  }),
  patch('merge', 'a deployment: status', `${group('apps/v1')}/deployments/rules/status`, {
    status: { replicas: 5, readyReplicas: 4, availableReplicas: 4, observedGeneration: 2 },
  }),
  get(`${group('apps/v1')}/deployments`, { name: 'deployments as a table', headers: table }),
  patch('strategic', 'a deployment: image', `${group('apps/v1')}/deployments/rules`, {
    spec: { template: { spec: { containers: [{ name: 'c', image: 'other' }] } } },
  }),
  post('a pod', `${core}/pods`, object('v1', 'Pod', 'rules', { spec: { containers: [container] } })),
  patch('merge', 'a pod: another command', `${core}/pods/rules`, {
    spec: { containers: [{ ...container, command: ['x'] }] },
  }),
  patch('strategic', 'a pod: another image', `${core}/pods/rules`, {
    spec: { containers: [{ name: 'c', image: 'other' }] },
  }),
  patch('strategic', 'a pod: status', `${core}/pods/rules/status`, {
    status: {
      phase: 'Running',
      podIP: '192.0.2.5',
      podIPs: [{ ip: '192.0.2.5' }],
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [{ name: 'c', ready: true, restartCount: 2, image: 'i', imageID: '', state: { running: {} } }],
    },
  }),
  get(`${core}/pods`, { name: 'pods as a table', headers: table }),
  post('a pod: bind', `${core}/pods/rules/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'rules' },
    target: { kind: 'Node', name: 'node1' },
  }),
  post('a pod: bind again', `${core}/pods/rules/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'rules' },
    target: { kind: 'Node', name: 'node2' },
  }),
  remove('a pod: delete with grace', `${core}/pods/rules`, { gracePeriodSeconds: 10 }),
  post('a pod: evict', `${core}/pods/rules/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'rules' },
  }),
  remove('a pod: delete now', `${core}/pods/rules`, { gracePeriodSeconds: 0 }),
  post('a node', '/api/v1/nodes', object('v1', 'Node', 'rules')),
  patch('merge', 'a node: its network', '/api/v1/nodes/rules', {
    spec: { podCIDR: '192.0.2.0/28', podCIDRs: ['192.0.2.0/28'] },
  }),
  patch('merge', 'a node: another network', '/api/v1/nodes/rules', {
    spec: { podCIDR: '192.0.3.0/28', podCIDRs: ['192.0.3.0/28'] },
  }),
  patch('strategic', 'a node: status', '/api/v1/nodes/rules/status', {
    status: {
      capacity: { cpu: '2', memory: '4Gi' },
      addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
      conditions: [{ type: 'Ready', status: 'True', reason: 'R' }],
      nodeInfo: { kubeletVersion: 'v1.36.3', osImage: 'Linux' },
    },
  }),
  get('/api/v1/nodes', { name: 'nodes as a table', headers: table }),
  remove('a node: delete', '/api/v1/nodes/rules'),
  put(
    'a lease by put',
    `${group('coordination.k8s.io/v1')}/leases/byput`,
    object('coordination.k8s.io/v1', 'Lease', 'byput'),
  ),
  put(
    'a lease again by put, without a version',
    `${group('coordination.k8s.io/v1')}/leases/byput`,
    object('coordination.k8s.io/v1', 'Lease', 'byput'),
  ),
  put(
    'a role by put',
    `${group('rbac.authorization.k8s.io/v1')}/roles/byput`,
    object('rbac.authorization.k8s.io/v1', 'Role', 'byput'),
  ),
  put(
    'a deployment by put',
    `${group('apps/v1')}/deployments/byput`,
    object('apps/v1', 'Deployment', 'byput', { spec: { selector: { matchLabels: labels }, template } }),
  ),
  patch('merge', 'a role binding: the role', `${group('rbac.authorization.k8s.io/v1')}/rolebindings/none`, {
    roleRef: { name: 'x' },
  }),
  get(`${core}/services`, { name: 'services as a table', headers: table }),
  get('/api/v1/namespaces/default/services/kubernetes', { only: 'metadata.labels' }),
];

export const kindRules: Script = { name: 'kind rules', steps: rules };
