import {
  devAdmission,
  devClusters,
  devControllers,
  devConversions,
  devKinds,
  devMachines,
  devMachineTemplates,
} from '@slipway/dev';
import { machineTemplateName } from '../objects/desired-cluster.js';
import { namespace } from '../objects/names.js';
import type { Provider } from './provider.js';

const apiVersion = 'infrastructure.cluster.x-k8s.io/v1beta2';

/** The in-memory infrastructure provider. */
export const devProvider: Provider = {
  kinds: devKinds,
  conversions: devConversions,
  admissions: devAdmission,
  machines: devMachines,
  permanentResources: [],
  controllers: (infrastructure) => [devControllers(infrastructure)],
  cluster: (name) => [
    devClusters,
    { apiVersion, kind: 'DevCluster', metadata: { name, namespace }, spec: { backend: { inMemory: {} } } },
  ],
  machineTemplate: (desired) => {
    const provisioning = { startupDuration: `${desired.startupSeconds}s`, startupJitter: '0.3' };
    const inMemory = { vm: { provisioning }, node: { provisioning } };
    return [
      devMachineTemplates,
      {
        apiVersion,
        kind: 'DevMachineTemplate',
        metadata: { name: machineTemplateName(desired), namespace },
        spec: { template: { spec: { backend: { inMemory } } } },
      },
    ];
  },
};
