import type { KubeObject, RandomSource } from '@slipway/kube';
import type { Blueprint, CurrentState, DesiredState } from '../topology-state.js';
import type { TopologyVersions } from '../upgrade/topology-versions.js';
import { objectFromTemplate, topologyLabels } from './clone-template.js';
import { carriedShim } from './cluster-shim.js';
import { desiredControlPlane } from './control-plane.js';
import { desiredDeployment } from './machine-deployment.js';
import { desiredPool } from './machine-pool.js';
import { nameFromTemplate, nameTemplates } from './object-names.js';

/** Returns the desired objects of a topology before patches. Existing objects keep their names, new ones get generated names. */
export function computeDesiredState(
  blueprint: Blueprint,
  current: CurrentState,
  versions: TopologyVersions,
  random: RandomSource,
): DesiredState {
  const { cluster } = current;
  const { workers = {} } = blueprint.topology;
  const common = { blueprint, cluster };
  const version = blueprint.topology.version;
  return {
    infrastructureCluster: desiredInfrastructureCluster(blueprint, current, random),
    controlPlane: desiredControlPlane(blueprint, current, versions.controlPlane, random),
    cluster: {
      labels: topologyLabels(cluster),
      ...(versions.upgradeStep === undefined ? {} : { upgradeStep: versions.upgradeStep }),
    },
    machineDeployments: new Map(
      (workers.machineDeployments ?? []).map((topology) => {
        const chosen = versions.machineDeployments.get(topology.name) ?? version;
        const existing = current.machineDeployments.get(topology.name);
        return [
          topology.name,
          desiredDeployment({ ...common, topology, current: existing, version: chosen }, random),
        ] as const;
      }),
    ),
    machinePools: new Map(
      (workers.machinePools ?? []).map((topology) => {
        const chosen = versions.machinePools.get(topology.name) ?? version;
        const existing = current.machinePools.get(topology.name);
        return [
          topology.name,
          desiredPool({ ...common, topology, current: existing, version: chosen }, random),
        ] as const;
      }),
    ),
  };
}

function desiredInfrastructureCluster(
  { clusterClass, infrastructureCluster }: Blueprint,
  current: CurrentState,
  random: RandomSource,
): KubeObject {
  const { cluster } = current;
  const nameTemplate = clusterClass.spec.infrastructure.naming?.template ?? nameTemplates.cluster;
  const values = { cluster: { name: cluster.metadata.name ?? '' } };
  const object = objectFromTemplate({
    template: infrastructureCluster,
    cluster,
    name: cluster.spec.infrastructureRef?.name ?? nameFromTemplate(nameTemplate, values, random),
    // The Cluster is not set as owner, for the same reason as on the control plane.
  });
  const shim = carriedShim(current.infrastructureCluster, cluster);
  if (shim !== undefined) object.metadata.ownerReferences = [shim];
  return object;
}
