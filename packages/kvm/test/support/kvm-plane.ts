import { ProviderPlane } from '@slipway/testing/provider';
import {
  createKVMControllers,
  kvmAdmission,
  type KVMCluster,
  kvmClusters,
  kvmConversions,
  kvmKinds,
  type KVMMachine,
  kvmMachines,
} from '../../src/index.js';
import type { KVMControllersOptions } from '../../src/controllers.js';

export { conditionOf, keyOf, namespace } from '@slipway/testing/provider';

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
