import { machineDeployments } from '@slipway/cluster-api';
import type { JsonObject } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import type { Provider } from '../providers/provider.js';
import type { ClusterForm, Edit } from './cluster-form.js';
import { clusterManifests, referenceTo, workersName } from './manifests.js';

/** Describes a cluster by its individual objects, without a managed topology. */
export function plainForm(provider: Provider): ClusterForm {
  return {
    manifests: (desired) => clusterManifests(desired, provider),
    scaleControlPlane: ({ name, controlPlanes }) => [ofControlPlane(name, { replicas: controlPlanes })],
    scaleWorkers: ({ name, workers }) => [ofWorkers(name, { replicas: workers })],
    upgrade: ({ name, version }) => [
      ofControlPlane(name, { version }),
      ofWorkers(name, { template: { spec: { version } } }),
    ],
    changeTemplate: (desired) => {
      const infrastructureRef = referenceTo(provider.machineTemplate(desired));
      return [
        ofWorkers(desired.name, { template: { spec: { infrastructureRef } } }),
        ofControlPlane(desired.name, { machineTemplate: { spec: { infrastructureRef } } }),
      ];
    },
    remains: () => [],
  };
}

function ofControlPlane(name: string, spec: JsonObject): Edit {
  return { resource: kubeadmControlPlanes, name, patch: { spec } };
}

function ofWorkers(name: string, spec: JsonObject): Edit {
  return { resource: machineDeployments, name: workersName(name), patch: { spec } };
}
