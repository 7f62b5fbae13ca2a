import { seededRandom, systemClock, systemRandom, VirtualClock } from '@slipway/base';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiControllers,
  clusterApiConversions,
  clusterApiKinds,
  contractVersionsFrom,
  createConverters,
  featureGateDefaults,
} from '@slipway/cluster-api';
import { createGuests, WorkloadClusters } from '@slipway/dev';
import {
  certificateSecret,
  controlPlaneCertificates,
  generateCertificates,
  kubeadmAdmission,
  kubeadmConversions,
  kubeadmKinds,
} from '@slipway/kubeadm';
import { KeyPool } from '@slipway/pki';
import { type ConformancePlane, providerConformance, type ProviderUnderTest } from '@slipway/provider-kit/conformance';
import { secrets } from '@slipway/runtime';
import { createSimulatedSupervisor } from '@slipway/simulators';
import { startTestPlane } from '@slipway/testing/plane';
import { describe, expect, it } from 'vitest';
import {
  createSupervisorControllers,
  createVSphereAdmission,
  platformKinds,
  supervisorClusters,
  supervisorKinds,
  supervisorMachines,
  vsphereConversions,
} from '../src/index.js';

const clusterKey = { namespace: 'default', name: 'conformance' };
const conversions = [...clusterApiConversions, ...kubeadmConversions, ...vsphereConversions];

let workloads: WorkloadClusters;

/** Runs Supervisor mode with the simulated Supervisor on an in-memory plane in virtual time. */
async function startPlane(networkProvider: string): Promise<ConformancePlane> {
  const clock = new VirtualClock();
  workloads = new WorkloadClusters({ clock, random: seededRandom(1), network: 'none' });
  const plane = await startTestPlane({
    clock,
    sets: [
      clusterApiControllers,
      createSupervisorControllers({ networkProvider, vmOperatorVersion: 'v1alpha5' }),
      createSimulatedSupervisor({ guests: createGuests(workloads), offers: true }),
    ],
    kinds: (find) => ({
      name: 'slipway',
      kinds: [...clusterApiKinds, ...kubeadmKinds, ...supervisorKinds, ...platformKinds],
      converters: createConverters(conversions, contractVersionsFrom(find)),
      rules: bindAdmission(
        [...clusterApiAdmission, ...kubeadmAdmission, ...createVSphereAdmission({ networkProvider })],
        featureGateDefaults,
      ),
    }),
  });
  const stop = async (): Promise<void> => {
    await plane.stop();
    await workloads.dispose();
  };
  return { ...plane, stop };
}

const supervisor: ProviderUnderTest = {
  start: () => startPlane('VSphereDistributed'),
  clusterResource: supervisorClusters,
  machineResource: supervisorMachines,
  machineSpec: { imageName: 'ubuntu-2404', className: 'best-effort-small', storageClass: 'gold' },
  prepare: createKeys,
  externalMachines: () => workloads.get(clusterKey)?.machines ?? [],
};

describe('provider conformance of Supervisor mode', () => {
  it.each(providerConformance(supervisor))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  // Without a load balancer the endpoint is the address of the first machine.
  const unbalanced = providerConformance({ ...supervisor, start: () => startPlane('') });
  it.each(unbalanced.filter(({ name }) => name.includes('providerID')))(
    'does not wait for an endpoint that its machines provide: $name [vsphere 44]',
    async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    },
  );
});

/** Creates the CA Secrets, as the control plane provider does before the first machine. */
async function createKeys({ client }: ConformancePlane): Promise<void> {
  const strong = controlPlaneCertificates().map((one) => ({ ...one, strength: 'ECDSA-P256' as const }));
  const dependencies = { clock: systemClock, random: systemRandom, keys: new KeyPool({ size: 0 }) };
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: clusterKey.name, uid: '' };
  for (const one of await generateCertificates(strong, dependencies)) {
    const secret = certificateSecret(one, clusterKey, owner);
    // The Secrets are created before the Cluster, so without its owner reference: garbage collection would delete them.
    await client.create(secrets, { ...secret, metadata: { ...secret.metadata, ownerReferences: [] } });
  }
}
