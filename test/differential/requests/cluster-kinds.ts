import type { Script } from '../script.js';
import { type Kind, lifecycleOf, object } from './kind.js';

const clusterWide: readonly Kind[] = [
  {
    path: '/api/v1/nodes',
    valid: object('v1', 'Node', 'n', { spec: { providerID: 'x://1', taints: [{ key: 'a', effect: 'NoSchedule' }] } }),
    broken: object('v1', 'Node', 'bad', { spec: { podCIDR: 'x', taints: [{ key: '', effect: 'X' }] } }),
  },
  {
    path: '/api/v1/persistentvolumes',
    valid: object('v1', 'PersistentVolume', 'pv', {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    }),
    broken: object('v1', 'PersistentVolume', 'bad', { spec: {} }),
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    valid: object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'x:y', {
      rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }],
    }),
    broken: object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'a%b', { rules: [{ verbs: ['get'] }] }),
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    valid: object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'x:y', {
      roleRef: { kind: 'ClusterRole', name: 'x:y' },
      subjects: [{ kind: 'Group', name: 'g' }],
    }),
    broken: object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'bad', {
      roleRef: { kind: 'Role', name: 'x' },
    }),
  },
  {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    valid: object('storage.k8s.io/v1', 'StorageClass', 'sc', { provisioner: 'x.example.com' }),
    broken: object('storage.k8s.io/v1', 'StorageClass', 'bad', { provisioner: '', reclaimPolicy: 'X' }),
  },
  {
    path: '/apis/storage.k8s.io/v1/csidrivers',
    valid: object('storage.k8s.io/v1', 'CSIDriver', 'd.example.com', { spec: {} }),
    broken: object('storage.k8s.io/v1', 'CSIDriver', 'bad', { spec: { volumeLifecycleModes: ['X'] } }),
  },
  {
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    valid: object('scheduling.k8s.io/v1', 'PriorityClass', 'pc', { value: 5 }),
    broken: object('scheduling.k8s.io/v1', 'PriorityClass', 'system-x', { value: 2000000000, preemptionPolicy: 'X' }),
  },
  {
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    valid: object('node.k8s.io/v1', 'RuntimeClass', 'rc', { handler: 'h' }),
    broken: object('node.k8s.io/v1', 'RuntimeClass', 'bad', { handler: 'H_' }),
  },
  {
    path: '/apis/networking.k8s.io/v1/ingressclasses',
    valid: object('networking.k8s.io/v1', 'IngressClass', 'ic', { spec: { controller: 'example.com/c' } }),
    broken: object('networking.k8s.io/v1', 'IngressClass', 'bad', {
      spec: { controller: 'x', parameters: { kind: '', name: '' } },
    }),
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    valid: object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'v', {
      webhooks: [
        {
          name: 'a.b.example.com',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { url: 'https://127.0.0.1:1/x' },
          rules: [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] }],
        },
      ],
    }),
    broken: object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'bad', {
      webhooks: [
        {
          name: 'a',
          sideEffects: 'Some',
          admissionReviewVersions: [],
          clientConfig: {},
          timeoutSeconds: 60,
          failurePolicy: 'X',
        },
      ],
    }),
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    valid: object('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'm', {
      webhooks: [
        {
          name: 'a.b.example.com',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { service: { namespace: 'x', name: 'y' } },
          rules: [],
        },
      ],
    }),
    broken: object('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'bad', {
      webhooks: [
        {
          name: 'a.b.c',
          reinvocationPolicy: 'X',
          sideEffects: 'None',
          admissionReviewVersions: ['v9'],
          clientConfig: { url: 'http://x' },
        },
      ],
    }),
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    controlled: true,
    valid: object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'p', {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['none.example.com'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] },
          ],
        },
        validations: [{ expression: 'true' }],
      },
    }),
    broken: object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'bad', {
      spec: { validations: [{ expression: 'object.' }] },
    }),
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
    valid: object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', 'b', {
      spec: { policyName: 'p', validationActions: ['Deny'] },
    }),
    broken: object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', 'bad', {
      spec: { validationActions: ['Deny', 'Warn', 'X'] },
    }),
  },
  {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    controlled: true,
    valid: object('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'f', {
      spec: { priorityLevelConfiguration: { name: 'global-default' } },
    }),
    broken: object('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'bad', {
      spec: { matchingPrecedence: 0, priorityLevelConfiguration: { name: '' } },
    }),
  },
];

export const clusterKinds: Script = { name: 'cluster kinds', steps: clusterWide.flatMap(lifecycleOf) };
