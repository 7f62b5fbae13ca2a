import { createGuests } from '@slipway/dev';
import { createSimulatedSupervisor } from '@slipway/simulators';
import {
  createSupervisorControllers,
  createVSphereAdmission,
  platformKinds,
  supervisorClusters,
  supervisorKinds,
  supervisorMachines,
  supervisorMachineTemplates,
  vsphereConversions,
} from '@slipway/vsphere';
import { machineTemplateName } from '../objects/desired-cluster.js';
import { namespace } from '../objects/names.js';
import type { Provider } from './provider.js';

const apiVersion = 'vmware.infrastructure.cluster.x-k8s.io/v1beta2';
const powerOnMs = 20_000;

/** vSphere in Supervisor mode with a simulated Supervisor: the kinds and controllers of `--simulate supervisor`. */
export const supervisorProvider: Provider = {
  kinds: [...supervisorKinds, ...platformKinds],
  conversions: vsphereConversions,
  admissions: createVSphereAdmission(),
  machines: supervisorMachines,
  permanentResources: ['vmoperator.vmware.com/virtualmachineclasses', 'netoperator.vmware.com/networks'],
  controllers: (infrastructure) => [
    createSupervisorControllers({ networkProvider: 'VSphereDistributed', vmOperatorVersion: 'v1alpha5' }),
    createSimulatedSupervisor({ guests: createGuests(infrastructure), powerOnMs, offers: true }),
  ],
  cluster: (name) => [supervisorClusters, { apiVersion, kind: 'VSphereCluster', metadata: { name, namespace } }],
  machineTemplate: (desired) => [
    supervisorMachineTemplates,
    {
      apiVersion,
      kind: 'VSphereMachineTemplate',
      metadata: { name: machineTemplateName(desired), namespace },
      spec: {
        template: { spec: { imageName: 'ubuntu-2404', className: 'best-effort-small', storageClass: 'gold' } },
      },
    },
  ],
};
