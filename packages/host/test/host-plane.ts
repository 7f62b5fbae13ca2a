import { ProviderPlane } from '@slipway/testing/provider';
import { createHostControllers, hostAdmission, hostKinds } from '../src/index.js';
import { type HostCluster, hostClusters, type HostMachine, hostMachines } from '../src/api/index.js';
import type { FakeEngine } from './fake-engine.js';

export { conditionOf, namespace } from '@slipway/testing/provider';

const provider = { kinds: hostKinds, admission: hostAdmission, clusters: hostClusters, machines: hostMachines };

export class HostPlane extends ProviderPlane<HostCluster, HostMachine> {
  static async start(engine: FakeEngine): Promise<HostPlane> {
    const { embedded, scope } = await ProviderPlane.open(provider);
    const plane = new HostPlane(embedded, provider, scope);
    await plane.run(createHostControllers(engine));
    return plane;
  }
}
