import type { KubeObject } from '@slipway/kube';
import type { ClusterModel, PoolModel, Strategy, WorkersModel } from './cluster-model.js';

export const namespace = 'default';
const groups = {
  core: 'cluster.x-k8s.io',
  infrastructure: 'infrastructure.cluster.x-k8s.io',
  bootstrap: 'bootstrap.cluster.x-k8s.io',
  controlPlane: 'controlplane.cluster.x-k8s.io',
} as const;

export function objectOf(group: keyof typeof groups, kind: string, name: string, spec: object): KubeObject {
  return { apiVersion: `${groups[group]}/v1beta2`, kind, metadata: { name, namespace }, spec } as KubeObject;
}

function referenceTo(group: keyof typeof groups, kind: string, name: string): object {
  return { apiGroup: groups[group], kind, name };
}

/** The timeouts of a MachineHealthCheck. */
export const healthChecks = {
  nodeStartupTimeoutSeconds: 600,
  unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }],
};

export function machineTemplate(name: string, nodeStartup: string): KubeObject {
  const inMemory = { node: { provisioning: { startupDuration: nodeStartup } } };
  return objectOf('infrastructure', 'DevMachineTemplate', name, { template: { spec: { backend: { inMemory } } } });
}

export function bootstrapTemplate(name: string, files: number): KubeObject {
  const spec = { format: 'cloud-config', preKubeadmCommands: [`echo ${files}`] };
  return objectOf('bootstrap', 'KubeadmConfigTemplate', name, { template: { spec } });
}

export function rolloutOf(strategy: Strategy): object {
  if (strategy.type === 'OnDelete') return { strategy };
  const { type, ...rollingUpdate } = strategy;
  return { strategy: { type, rollingUpdate } };
}

/** Returns the manifest of a Cluster without a topology. */
export function plainManifest(model: ClusterModel): KubeObject[] {
  const { name } = model;
  const cluster = objectOf('core', 'Cluster', name, {
    controlPlaneRef: referenceTo('controlPlane', 'KubeadmControlPlane', name),
    infrastructureRef: referenceTo('infrastructure', 'DevCluster', name),
  });
  const infrastructure = objectOf('infrastructure', 'DevCluster', name, { backend: { inMemory: {} } });
  const checks = model.isChecked
    ? [healthCheck(name, 'control-plane', { 'cluster.x-k8s.io/control-plane': '' }), healthCheck(name, 'workers', {})]
    : [];
  const workers = model.workers.flatMap((group) => workersManifest(name, group));
  const pools = model.pools.flatMap((pool) => poolManifest(name, pool));
  return [cluster, infrastructure, ...controlPlaneManifest(model), ...workers, ...pools, ...checks];
}

/** Returns a value that differs between the templates of the control plane, so that a new template replaces its machines. */
export function controlPlaneStartup({ controlPlaneTemplate }: ClusterModel): string {
  return `${9 + controlPlaneTemplate}s`;
}

function controlPlaneManifest(model: ClusterModel): KubeObject[] {
  const { name, controlPlanes: replicas, controlPlaneSurge: maxSurge, version } = model;
  const template = `${name}-control-plane-${model.controlPlaneTemplate}`;
  const infrastructureRef = referenceTo('infrastructure', 'DevMachineTemplate', template);
  return [
    machineTemplate(template, controlPlaneStartup(model)),
    objectOf('controlPlane', 'KubeadmControlPlane', name, {
      replicas,
      version,
      machineTemplate: { spec: { infrastructureRef } },
      rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge } } },
      kubeadmConfigSpec: { format: 'cloud-config' },
    }),
  ];
}

function workersManifest(cluster: string, group: WorkersModel): KubeObject[] {
  const name = `${cluster}-${group.name}`;
  const template = `${name}-${group.template}`;
  const bootstrap = `${name}-${group.bootstrapTemplate}`;
  const spec = {
    clusterName: cluster,
    version: group.version,
    minReadySeconds: group.minReadySeconds,
    deletion: { nodeDrainTimeoutSeconds: group.drainSeconds },
    bootstrap: { configRef: referenceTo('bootstrap', 'KubeadmConfigTemplate', bootstrap) },
    infrastructureRef: referenceTo('infrastructure', 'DevMachineTemplate', template),
  };
  return [
    machineTemplate(template, group.nodeStartup),
    bootstrapTemplate(bootstrap, group.bootstrapTemplate),
    objectOf('core', 'MachineDeployment', name, {
      clusterName: cluster,
      replicas: group.replicas,
      selector: { matchLabels: {} },
      rollout: rolloutOf(group.strategy),
      deletion: { order: group.order },
      template: { metadata: { labels: { 'example.com/label': group.label } }, spec },
    }),
  ];
}

function poolManifest(cluster: string, { name: own, replicas, version }: PoolModel): KubeObject[] {
  const name = `${cluster}-${own}`;
  const spec = {
    clusterName: cluster,
    version,
    bootstrap: { configRef: referenceTo('bootstrap', 'KubeadmConfig', name) },
    infrastructureRef: referenceTo('infrastructure', 'DevMachinePool', name),
  };
  return [
    objectOf('bootstrap', 'KubeadmConfig', name, { format: 'cloud-config' }),
    objectOf('infrastructure', 'DevMachinePool', name, {}),
    objectOf('core', 'MachinePool', name, { clusterName: cluster, replicas, template: { spec } }),
  ];
}

function healthCheck(cluster: string, role: string, matchLabels: object): KubeObject {
  const isWorkers = Object.keys(matchLabels).length === 0;
  const selector = isWorkers
    ? { matchExpressions: [{ key: 'cluster.x-k8s.io/control-plane', operator: 'DoesNotExist' }] }
    : { matchLabels };
  const spec = { clusterName: cluster, selector, checks: healthChecks };
  return objectOf('core', 'MachineHealthCheck', `${cluster}-${role}`, spec);
}
