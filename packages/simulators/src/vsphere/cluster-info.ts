import { isReason, stringifyYaml } from '@slipway/kube';
import { configMaps, type Controller, createController, done, ifPresent, namespaces } from '@slipway/runtime';
import { clusterInfo } from '@slipway/vsphere';

/** An address from a documentation range: simulated workloads never contact the Supervisor. */
const server = 'https://192.0.2.1:6443';

/**
 * Creates the controller that publishes the address of the Supervisor, as kubeadm does on a real Supervisor. An existing
 * ConfigMap is kept.
 */
export function createSimulatedInfoController(): Controller {
  return createController({
    name: 'simulated-clusterinfo',
    for: namespaces,
    filter: ({ object }) => object.metadata.name === clusterInfo.namespace,
    async reconcile(_key, context) {
      const { read, signal } = context;
      if ((await ifPresent(read.get(configMaps, clusterInfo, { signal }))) !== undefined) return done();
      const kubeconfig = stringifyYaml({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: '', cluster: { server } }],
        contexts: [],
        users: [],
      });
      try {
        const object = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { ...clusterInfo },
          data: { kubeconfig },
        } as const;
        await context.change({
          verb: 'create',
          resource: configMaps,
          object,
          reason: 'ClusterInfoMissing',
          message: 'Published the address of the simulated Supervisor',
        });
      } catch (error) {
        if (!isReason(error, 'AlreadyExists')) throw error;
      }
      return done();
    },
  });
}
