import { ProviderPlane } from '../../../cluster-api/test/support/provider-plane.js';
import {
  createKVMControllers,
  type KVMControllersOptions,
  kvmAdmission,
  type KVMCluster,
  kvmClusters,
  kvmConversions,
  kvmKinds,
  type KVMMachine,
  kvmMachines,
} from '../../src/index.js';

export { conditionOf, keyOf, namespace } from '../../../cluster-api/test/support/provider-plane.js';

const provider = {
  kinds: kvmKinds,
  conversions: kvmConversions,
  admission: kvmAdmission,
  clusters: kvmClusters,
  machines: kvmMachines,
};

export class KVMPlane extends ProviderPlane<KVMCluster, KVMMachine> {
  static async start(options: KVMControllersOptions): Promise<KVMPlane> {
    const { embedded, scope } = await ProviderPlane.open(provider);
    const plane = new KVMPlane(embedded, provider, scope);
    await plane.startControllers(options);
    return plane;
  }

  startControllers(options: KVMControllersOptions): Promise<void> {
    return this.run(createKVMControllers(() => options));
  }
}
