import type { Situation } from '../situation.js';
import { clusterSituations, topologySituations } from './cluster.js';
import { controlPlaneSituations } from './control-plane.js';
import { devSituations, hostSituations, kvmSituations } from './machines.js';
import { driverSituations, openshiftSituations, providerOperatorSituations } from './operators.js';
import { supervisorSituations } from './supervisor.js';
import { vcenterSituations } from './vcenter.js';
import { workerSituations } from './workers.js';

/** All situations, by area. docs/reference/why.md lists them. */
export const catalogue: Readonly<Record<string, readonly Situation[]>> = {
  'Clusters, references and deletion': clusterSituations,
  'ClusterClasses, runtime extensions and add-ons': topologySituations,
  'Control plane, certificates and connection': controlPlaneSituations,
  'Workers, health checks and drains': workerSituations,
  'In-memory machines': devSituations,
  'Machines on the host': hostSituations,
  'QEMU virtual machines': kvmSituations,
  'vSphere with vCenter': vcenterSituations,
  'vSphere in Supervisor mode': supervisorSituations,
  'vSphere drivers': driverSituations,
  'Provider operator': providerOperatorSituations,
  OpenShift: openshiftSituations,
};

export const situations: readonly Situation[] = Object.values(catalogue).flat();
