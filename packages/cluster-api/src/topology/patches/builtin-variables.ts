import { asJson, type JsonObject, lastAppliedAnnotation, tryParseCidr } from '@slipway/kube';
import { conversionDataAnnotation } from '../../conversion/index.js';
import { specVersionOf } from '../control-plane-fields.js';
import { compact, fieldAt } from '../json-fields.js';
import type {
  Blueprint,
  DeploymentTopology,
  DesiredControlPlane,
  DesiredDeployment,
  DesiredPool,
  DesiredState,
  ObservedCluster,
  PoolTopology,
} from '../topology-state.js';

/** The name of the builtin variables. */
export const builtinName = 'builtin';

/** Returns the builtin variables of the cluster. */
export function clusterBuiltins(cluster: ObservedCluster, desired: DesiredState): JsonObject {
  const { name = '', namespace = '', uid = '', labels = {}, annotations } = cluster.metadata;
  const { topology } = cluster.spec;
  const classRef = {
    name: topology?.classRef.name ?? '',
    namespace: topology?.classRef.namespace ?? namespace,
  };
  return {
    cluster: compact({
      name,
      namespace,
      uid,
      metadata: metadataOf({ labels: { ...labels, ...desired.cluster.labels }, annotations }),
      topology: {
        version: topology?.version ?? '',
        class: classRef.name,
        classNamespace: classRef.namespace,
        classRef,
      },
      network: networkOf(cluster),
    }) as JsonObject,
  };
}

function networkOf({ spec: { clusterNetwork = {} } }: ObservedCluster): object {
  const services = clusterNetwork.services?.cidrBlocks;
  const pods = clusterNetwork.pods?.cidrBlocks;
  const blocks = [...(services ?? []), ...(pods ?? [])];
  const ipFamily = blocks.length === 0 ? undefined : ipFamilyOf(blocks);
  return { serviceDomain: clusterNetwork.serviceDomain, services, pods, ipFamily };
}

/** Returns the IP family of the first service and pod CIDR blocks. Two families mean dual-stack. */
function ipFamilyOf(blocks: readonly string[]): string {
  const families = new Set(blocks.map((block) => tryParseCidr(block)?.address.family ?? 'IPv4'));
  return families.size > 1 ? 'DualStack' : ([...families][0] ?? 'IPv4');
}

export function controlPlaneBuiltins({ topology }: Blueprint, desired: DesiredControlPlane): JsonObject {
  const { object, machineInfrastructure } = desired;
  const replicas =
    topology.controlPlane?.replicas === undefined ? undefined : fieldAt(asJson(object), ['spec', 'replicas']);
  return {
    controlPlane: compact({
      version: specVersionOf(object),
      name: object.metadata.name,
      metadata: metadataOf(object.metadata),
      replicas,
      machineTemplate:
        machineInfrastructure === undefined
          ? undefined
          : { infrastructureRef: { name: machineInfrastructure.metadata.name } },
    }) as JsonObject,
  };
}

export function deploymentBuiltins(topology: DeploymentTopology, desired: DesiredDeployment): JsonObject {
  return { machineDeployment: workerBuiltins(topology, desired) };
}

export function poolBuiltins(topology: PoolTopology, desired: DesiredPool): JsonObject {
  return { machinePool: workerBuiltins(topology, desired) };
}

function workerBuiltins(
  topology: DeploymentTopology | PoolTopology,
  { object, bootstrap, infrastructure }: DesiredDeployment | DesiredPool,
): JsonObject {
  return compact({
    version: object.spec.template.spec.version,
    class: topology.class,
    name: object.metadata.name,
    topologyName: topology.name,
    metadata: metadataOf(object.metadata),
    replicas: object.spec.replicas,
    bootstrap: { configRef: { name: bootstrap.metadata.name } },
    infrastructureRef: { name: infrastructure.metadata.name },
  }) as JsonObject;
}

interface Metadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Returns labels and annotations, without annotations that repeat the whole object. */
function metadataOf({ labels, annotations = {} }: Metadata): JsonObject {
  const { [lastAppliedAnnotation]: _applied, [conversionDataAnnotation]: _data, ...kept } = annotations;
  return { labels, annotations: kept };
}
