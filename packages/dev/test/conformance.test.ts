import { seededRandom, systemClock, systemRandom, VirtualClock } from '@slipway/base';
import { clusterApiControllers } from '@slipway/cluster-api';
import { certificateSecret, controlPlaneCertificates, generateCertificates } from '@slipway/kubeadm';
import { KeyPool } from '@slipway/pki';
import { type ConformancePlane, providerConformance } from '@slipway/provider-kit/conformance';
import { secrets } from '@slipway/runtime';
import { startTestPlane } from '@slipway/testing/plane';
import { describe, expect, it } from 'vitest';
import { devClusters, devControllers, devMachines, WorkloadClusters } from '../src/index.js';
import { allKinds } from './all-kinds.js';

const clusterKey = { namespace: 'default', name: 'conformance' };

describe('provider conformance of the in-memory infrastructure', () => {
  let workloads: WorkloadClusters;
  const cases = providerConformance({
    async start() {
      const clock = new VirtualClock();
      workloads = new WorkloadClusters({ clock, random: seededRandom(1), network: 'none' });
      const plane = await startTestPlane({
        clock,
        sets: [clusterApiControllers, devControllers(workloads)],
        kinds: (find) => allKinds(find),
      });
      const stop = async (): Promise<void> => {
        await plane.stop();
        await workloads.dispose();
      };
      return { ...plane, stop };
    },
    clusterResource: devClusters,
    machineResource: devMachines,
    clusterSpec: { backend: { inMemory: {} } },
    machineSpec: { backend: { inMemory: {} } },
    prepare: createKeys,
    externalMachines: () => workloads.get(clusterKey)?.machines ?? [],
  });
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

/** Creates the Secrets that the control plane provider creates before the first machine. */
async function createKeys({ client }: ConformancePlane): Promise<void> {
  const strong = controlPlaneCertificates().map((one) => ({ ...one, strength: 'ECDSA-P256' as const }));
  const dependencies = { clock: systemClock, random: systemRandom, keys: new KeyPool({ size: 0 }) };
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: clusterKey.name, uid: '' };
  for (const one of await generateCertificates(strong, dependencies)) {
    const secret = certificateSecret(one, clusterKey, owner);
    // The Secret is created before the Cluster: with an owner reference to it, garbage collection would delete the Secret.
    await client.create(secrets, { ...secret, metadata: { ...secret.metadata, ownerReferences: [] } });
  }
}
