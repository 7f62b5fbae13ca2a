import { cloneJson, generateName, type KubeObject, parseApiVersion, type RandomSource } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import { labels, type MachineDeployment, topologyAnnotations } from '../../api/index.js';
import { compact } from '../json-fields.js';
import type {
  Blueprint,
  CurrentDeployment,
  DeploymentClass,
  DeploymentTopology,
  DesiredDeployment,
  ObservedCluster,
  ObservedObject,
} from '../topology-state.js';
import { templateFromTemplate, topologyLabels } from './clone-template.js';
import { deploymentHealthCheck } from './health-checks.js';
import { nameFromTemplate, nameTemplates, workerTemplatePrefix } from './object-names.js';
import { WorkerClassError } from './worker-class-error.js';

export interface WorkerInput<T, Current> {
  readonly blueprint: Blueprint;
  readonly cluster: ObservedCluster;
  readonly topology: T;
  readonly current: Current | undefined;
  readonly version: string;
}

/** Returns the desired MachineDeployment with its templates and health check. */
export function desiredDeployment(
  input: WorkerInput<DeploymentTopology, CurrentDeployment>,
  random: RandomSource,
): DesiredDeployment {
  const { blueprint, cluster, topology, current } = input;
  const worker = blueprint.machineDeployments.get(topology.class);
  if (worker === undefined) throw new WorkerClassError('MachineDeployment', topology.class, blueprint.clusterClass);
  const template = (from: ObservedObject, existing: ObservedObject | undefined): KubeObject =>
    templateFromTemplate({
      template: from,
      cluster,
      name:
        existing?.metadata.name ??
        generateName(workerTemplatePrefix(cluster.metadata.name ?? '', topology.name), random),
      labels: { [labels.topologyDeploymentName]: topology.name },
      owner: ownerReference(cluster),
    });
  const bootstrap = template(worker.bootstrap, current?.bootstrap);
  const infrastructure = template(worker.infrastructure, current?.infrastructure);
  const values = {
    cluster: { name: cluster.metadata.name ?? '' },
    machineDeployment: { topologyName: topology.name },
  };
  const nameTemplate = worker.workerClass.naming?.template ?? nameTemplates.machineDeployment;
  const name = current?.object.metadata.name ?? nameFromTemplate(nameTemplate, values, random);
  const object = deploymentObject(input, worker.workerClass, name, { bootstrap, infrastructure });
  const healthCheck = deploymentHealthCheck(worker.workerClass, topology, cluster, object);
  return { object, bootstrap, infrastructure, ...(healthCheck === undefined ? {} : { healthCheck }) };
}

function deploymentObject(
  { cluster, topology, version }: WorkerInput<DeploymentTopology, CurrentDeployment>,
  workerClass: DeploymentClass,
  name: string,
  made: { readonly bootstrap: KubeObject; readonly infrastructure: KubeObject },
): MachineDeployment {
  const clusterName = cluster.metadata.name ?? '';
  const metadata = workerMetadata(workerClass.metadata, topology.metadata, {
    ...topologyLabels(cluster),
    [labels.topologyDeploymentName]: topology.name,
  });
  // Use the whole rollout field of either the topology or the class. They are not merged: the class has no rollout.after.
  const rollout = topology.rollout ?? workerClass.rollout;
  const spec = compact({
    clusterName,
    replicas: topology.replicas,
    rollout: cloneJson(rollout),
    deletion: { order: topology.deletion?.order ?? workerClass.deletion?.order },
    remediation: {
      maxInFlight: topology.healthCheck?.remediation?.maxInFlight ?? workerClass.healthCheck?.remediation?.maxInFlight,
    },
    // The labels that identify the machines. Without a selector, admission would add another one.
    selector: {
      matchLabels: { ...topologyLabels(cluster), [labels.topologyDeploymentName]: topology.name },
    },
    template: {
      metadata: cloneJson(metadata),
      spec: {
        clusterName,
        version,
        bootstrap: { configRef: referenceTo(made.bootstrap) },
        infrastructureRef: referenceTo(made.infrastructure),
        ...machineSettings(topology, workerClass),
      },
    },
  }) as MachineDeployment['spec'];
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name, namespace: cluster.metadata.namespace ?? '', ...metadata },
    spec,
  };
}

/** Returns the machine settings. The topology takes precedence over the class. */
function machineSettings(topology: DeploymentTopology, workerClass: DeploymentClass): object {
  return {
    failureDomain: topology.failureDomain ?? workerClass.failureDomain,
    deletion: workerTimeouts(workerClass.deletion, topology.deletion),
    readinessGates: cloneJson(topology.readinessGates ?? workerClass.readinessGates),
    taints: cloneJson(topology.taints ?? workerClass.taints),
    minReadySeconds: topology.minReadySeconds ?? workerClass.minReadySeconds,
  };
}

interface Metadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Returns the labels and annotations of workers and their machines. Annotations that control the upgrade order are not
 * propagated.
 */
export function workerMetadata(
  fromClass: Metadata | undefined,
  fromTopology: Metadata | undefined,
  own: Record<string, string>,
): { labels: Record<string, string>; annotations?: Record<string, string> } {
  const annotations = { ...fromClass?.annotations, ...fromTopology?.annotations };
  delete annotations[topologyAnnotations.holdUpgradeSequence];
  delete annotations[topologyAnnotations.deferUpgrade];
  return {
    labels: { ...fromClass?.labels, ...fromTopology?.labels, ...own },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

interface Timeouts {
  readonly nodeDrainTimeoutSeconds?: number;
  readonly nodeVolumeDetachTimeoutSeconds?: number;
  readonly nodeDeletionTimeoutSeconds?: number;
}

/** Returns the deletion timeouts. Each one comes from the topology or, if unset there, from the class. */
export function workerTimeouts(fromClass: Timeouts = {}, fromTopology: Timeouts = {}): object {
  return {
    nodeDrainTimeoutSeconds: fromTopology.nodeDrainTimeoutSeconds ?? fromClass.nodeDrainTimeoutSeconds,
    nodeVolumeDetachTimeoutSeconds:
      fromTopology.nodeVolumeDetachTimeoutSeconds ?? fromClass.nodeVolumeDetachTimeoutSeconds,
    nodeDeletionTimeoutSeconds: fromTopology.nodeDeletionTimeoutSeconds ?? fromClass.nodeDeletionTimeoutSeconds,
  };
}

export function referenceTo(object: KubeObject): { apiGroup: string; kind: string; name: string } {
  const { group } = parseApiVersion(object.apiVersion);
  return { apiGroup: group, kind: object.kind, name: object.metadata.name ?? '' };
}
