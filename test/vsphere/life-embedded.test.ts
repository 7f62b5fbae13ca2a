import { offer } from '../../packages/vsphere/test/support/supervisor-manifests.js';
import { lifeOfClusters } from './life-of-clusters.js';
import { VCenterWorld } from './vcenter-world.js';

lifeOfClusters('clusters of both modes on the embedded plane', async () => {
  const world = await VCenterWorld.start({
    whole: true,
    supervisor: 'VSphereDistributed',
    featureGates: ['NodeAntiAffinity'],
  });
  await offer(world);
  return {
    objects: world,
    session: world.session,
    server: world.vcsim.server,
    // Nothing listens: clusters are reached by function call.
    port: 6443,
    stopManager: () => world.stopControllers(),
    stop: () => world.stop(),
  };
});
