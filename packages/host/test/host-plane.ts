import { ProviderPlane } from '../../cluster-api/test/support/provider-plane.js';
import {
  createHostControllers,
  hostAdmission,
  type HostCluster,
  hostClusters,
  hostKinds,
  type HostMachine,
  hostMachines,
} from '../src/index.js';
import type { FakeEngine } from './fake-engine.js';

export { conditionOf, namespace } from '../../cluster-api/test/support/provider-plane.js';

const provider = { kinds: hostKinds, admission: hostAdmission, clusters: hostClusters, machines: hostMachines };

export class HostPlane extends ProviderPlane<HostCluster, HostMachine> {
  static async start(engine: FakeEngine): Promise<HostPlane> {
    const { embedded, scope } = await ProviderPlane.open(provider);
    const plane = new HostPlane(embedded, provider, scope);
    await plane.run(createHostControllers(engine));
    return plane;
  }
}
