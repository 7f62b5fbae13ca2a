import { namespace, type Script } from '../script.js';
import { container, core, group, type Kind, labels, lifecycleOf, object, template } from './kind.js';

const workloads: readonly Kind[] = [
  {
    path: `${core}/pods`,
    valid: object('v1', 'Pod', 'p', {
      spec: {
        containers: [
          {
            ...container,
            image: 'i',
            resources: { limits: { cpu: '1000m', memory: '1024Mi' } },
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: 80 } },
          },
        ],
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 's', secret: { secretName: 's' } },
        ],
      },
    }),
    broken: object('v1', 'Pod', 'bad', {
      spec: {
        restartPolicy: 'Sometimes',
        containers: [
          {
            name: 'C_1',
            image: '',
            ports: [{ containerPort: 0, protocol: 'X' }],
            resources: { limits: { cpu: '-1' } },
            volumeMounts: [{ name: 'none', mountPath: '' }],
          },
          { name: 'C_1' },
        ],
        volumes: [{ name: 'v' }],
      },
    }),
  },
  {
    path: `${group('apps/v1')}/deployments`,
    valid: object('apps/v1', 'Deployment', 'd', { spec: { selector: { matchLabels: labels }, template } }),
    broken: object('apps/v1', 'Deployment', 'bad', {
      spec: {
        replicas: -1,
        selector: { matchLabels: { a: 'b' } },
        template: { spec: { restartPolicy: 'Never', containers: [] } },
        strategy: { type: 'Recreate', rollingUpdate: {} },
      },
    }),
  },
  {
    path: `${group('apps/v1')}/replicasets`,
    valid: object('apps/v1', 'ReplicaSet', 'r', { spec: { replicas: 0, selector: { matchLabels: labels }, template } }),
    broken: object('apps/v1', 'ReplicaSet', 'bad', { spec: {} }),
  },
  {
    path: `${group('apps/v1')}/statefulsets`,
    valid: object('apps/v1', 'StatefulSet', 's', {
      spec: { serviceName: 'x', replicas: 0, selector: { matchLabels: labels }, template },
    }),
    broken: object('apps/v1', 'StatefulSet', 'bad', { spec: { podManagementPolicy: 'X', selector: {}, template } }),
  },
  {
    path: `${group('apps/v1')}/daemonsets`,
    valid: object('apps/v1', 'DaemonSet', 'ds', { spec: { selector: { matchLabels: labels }, template } }),
    broken: object('apps/v1', 'DaemonSet', 'bad', {
      spec: { selector: { matchLabels: labels }, template, updateStrategy: { type: 'X' } },
    }),
  },
  {
    path: `${group('batch/v1')}/jobs`,
    valid: object('batch/v1', 'Job', 'j', {
      spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [container] } } },
    }),
    broken: object('batch/v1', 'Job', 'bad', {
      spec: { parallelism: -1, template: { spec: { containers: [container] } } },
    }),
  },
  {
    path: `${group('batch/v1')}/cronjobs`,
    valid: object('batch/v1', 'CronJob', 'cj', {
      spec: {
        schedule: '*/5 * * * *',
        suspend: true,
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      },
    }),
    broken: object('batch/v1', 'CronJob', 'bad', {
      spec: {
        schedule: 'sometimes',
        concurrencyPolicy: 'X',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      },
    }),
  },
  {
    path: `${core}/replicationcontrollers`,
    valid: object('v1', 'ReplicationController', 'rc', { spec: { replicas: 0, template } }),
    broken: object('v1', 'ReplicationController', 'bad', { spec: { replicas: -1 } }),
  },
  {
    path: `${core}/podtemplates`,
    valid: object('v1', 'PodTemplate', 'pt', { template }),
    broken: object('v1', 'PodTemplate', 'bad', { template: { spec: { containers: [] } } }),
  },
  {
    path: `${group('policy/v1')}/poddisruptionbudgets`,
    controlled: true,
    valid: object('policy/v1', 'PodDisruptionBudget', 'pdb', {
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    }),
    broken: object('policy/v1', 'PodDisruptionBudget', 'bad', { spec: { minAvailable: 1, maxUnavailable: '200%' } }),
  },
  {
    path: `${group('autoscaling/v2')}/horizontalpodautoscalers`,
    valid: object('autoscaling/v2', 'HorizontalPodAutoscaler', 'h', {
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
    }),
    broken: object('autoscaling/v2', 'HorizontalPodAutoscaler', 'bad', {
      spec: { maxReplicas: 0, minReplicas: 5, scaleTargetRef: { kind: '', name: '' } },
    }),
  },
  {
    path: `${group('autoscaling/v2')}/horizontalpodautoscalers`,
    valid: object('autoscaling/v2', 'HorizontalPodAutoscaler', 'h-paced', {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
      },
    }),
    broken: object('autoscaling/v2', 'HorizontalPodAutoscaler', 'bad-paced', {
      spec: { maxReplicas: 0, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
    }),
  },
];

export const workloadKinds: Script = {
  name: 'workload kinds',
  steps: [...namespace('kinds'), ...workloads.flatMap(lifecycleOf)],
};
