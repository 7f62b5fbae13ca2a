import { isReason, stringifyYaml } from '@slipway/kube';
import { configMaps, type Controller, createController, done, ifPresent, namespaces } from '@slipway/runtime';
import { clusterInfo } from '@slipway/vsphere';

/** An address for documentation: nothing that runs in memory asks the Supervisor anything. */
const server = 'https://192.0.2.1:6443';

/** Says where the Supervisor answers, as kubeadm does on a real one; whoever says otherwise is believed. */
export function createStandInInfoController(): Controller {
  return createController({
    name: 'stand-in-clusterinfo',
    for: namespaces,
    filter: ({ object }) => object.metadata.name === clusterInfo.namespace,
    async reconcile(_key, { client, signal }) {
      if ((await ifPresent(client.get(configMaps, clusterInfo, { signal }))) !== undefined) return done();
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
        await client.create(configMaps, object, { signal });
      } catch (error) {
        if (!isReason(error, 'AlreadyExists')) throw error;
      }
      return done();
    },
  });
}
