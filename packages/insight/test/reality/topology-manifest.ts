import type { KubeObject } from '@slipway/kube';
import type { ClusterModel } from './cluster-model.js';
import {
  bootstrapTemplate,
  controlPlaneStartup,
  healthChecks,
  machineTemplate,
  namespace,
  objectOf,
  rolloutOf,
} from './plain-manifest.js';

/** Returns the manifest of a Cluster with a topology, of its two ClusterClasses and of their templates. */
export function topologyManifest(model: ClusterModel): KubeObject[] {
  const { name, classTemplate } = model;
  const templates = [
    objectOf('infrastructure', 'DevClusterTemplate', name, { template: { spec: { backend: { inMemory: {} } } } }),
    objectOf('infrastructure', 'DevMachinePoolTemplate', name, { template: { spec: {} } }),
    objectOf('controlPlane', 'KubeadmControlPlaneTemplate', name, {
      template: { spec: { kubeadmConfigSpec: { format: 'cloud-config' } } },
    }),
    machineTemplate(`${name}-control-plane-${model.controlPlaneTemplate}`, controlPlaneStartup(model)),
    machineTemplate(`${name}-workers-${classTemplate}`, `${5 * classTemplate}s`),
    bootstrapTemplate(`${name}-first`, 1),
    bootstrapTemplate(`${name}-second`, 2),
  ];
  return [...templates, classOf(model, 'first'), classOf(model, 'second'), clusterOf(model)];
}

function templateRef(group: string, kind: string, name: string): object {
  return { templateRef: { apiVersion: `${group}.cluster.x-k8s.io/v1beta2`, kind, name } };
}

/** Returns a ClusterClass. The second one differs in the bootstrap template of workers, so that a rebase replaces workers. */
function classOf(model: ClusterModel, which: ClusterModel['className']): KubeObject {
  const { name } = model;
  const healthCheck = model.isChecked ? { healthCheck: { checks: healthChecks } } : {};
  const bootstrap = templateRef('bootstrap', 'KubeadmConfigTemplate', `${name}-${which}`);
  return objectOf('core', 'ClusterClass', `${name}-${which}`, {
    infrastructure: templateRef('infrastructure', 'DevClusterTemplate', name),
    controlPlane: {
      ...templateRef('controlplane', 'KubeadmControlPlaneTemplate', name),
      machineInfrastructure: templateRef(
        'infrastructure',
        'DevMachineTemplate',
        `${name}-control-plane-${model.controlPlaneTemplate}`,
      ),
      ...healthCheck,
    },
    workers: {
      machineDeployments: [
        {
          class: 'workers',
          bootstrap,
          infrastructure: templateRef('infrastructure', 'DevMachineTemplate', `${name}-workers-${model.classTemplate}`),
          ...healthCheck,
        },
      ],
      machinePools: [
        { class: 'pool', bootstrap, infrastructure: templateRef('infrastructure', 'DevMachinePoolTemplate', name) },
      ],
    },
    variables: [{ name: 'timeServer', required: false, schema: { openAPIV3Schema: { type: 'string', default: '' } } }],
    patches: [timeServerPatch],
  });
}

const timeServerPatch = {
  name: 'time-server',
  enabledIf: '{{ ne .timeServer "" }}',
  definitions: [
    {
      selector: {
        apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
        kind: 'KubeadmConfigTemplate',
        matchResources: { machineDeploymentClass: { names: ['workers'] } },
      },
      jsonPatches: [
        {
          op: 'add',
          path: '/spec/template/spec/ntp',
          valueFrom: { template: 'enabled: true\nservers: [{{ .timeServer }}]\n' },
        },
      ],
    },
  ],
};

function clusterOf(model: ClusterModel): KubeObject {
  const { name, className, version, controlPlanes, timeServer, workers, pools } = model;
  const machineDeployments = workers.map((group) => ({
    class: 'workers',
    name: group.name,
    replicas: group.replicas,
    minReadySeconds: group.minReadySeconds,
    metadata: { labels: { 'example.com/label': group.label } },
    deletion: { order: group.order, nodeDrainTimeoutSeconds: group.drainSeconds },
    rollout: rolloutOf(group.strategy),
  }));
  const machinePools = pools.map((pool) => ({ class: 'pool', name: pool.name, replicas: pool.replicas }));
  return objectOf('core', 'Cluster', name, {
    topology: {
      classRef: { name: `${name}-${className}`, namespace },
      version,
      controlPlane: { replicas: controlPlanes },
      ...(timeServer !== '' && { variables: [{ name: 'timeServer', value: timeServer }] }),
      ...(machineDeployments.length + machinePools.length > 0 && {
        workers: {
          ...(machineDeployments.length > 0 && { machineDeployments }),
          ...(machinePools.length > 0 && { machinePools }),
        },
      }),
    },
  });
}
