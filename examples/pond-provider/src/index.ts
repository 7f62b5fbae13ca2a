import { readFileSync } from 'node:fs';
import { createDev } from '@slipway/dev';
import { definePlugin, type Plugin } from '@slipway/provider-kit';
import type { ControllerSet } from '@slipway/runtime';
import { Cloud } from './cloud.js';
import { createPondClusterController } from './cluster-controller.js';
import { pondKinds } from './kinds.js';
import { createPondMachineController } from './machine-controller.js';

/** Creates the controllers of the provider. */
export function createPondControllers(cloud: Cloud): ControllerSet {
  return {
    name: 'pond',
    controllers: [
      { name: 'pondcluster', create: (context) => createPondClusterController(cloud, context) },
      { name: 'pondmachine', create: (context) => createPondMachineController(cloud, context) },
    ],
  };
}

/** The provider, for `slipway up --plugin` and `slipway manager --plugin`. */
export const plugin: Plugin = definePlugin({
  name: 'pond',
  type: 'InfrastructureProvider',
  kinds: pondKinds,
  controllers(dependencies) {
    // Simulates the software on the servers. A real provider creates the client of its cloud instead.
    const simulated = createDev(dependencies);
    return { set: createPondControllers(new Cloud(simulated.guests)), dispose: () => simulated.dispose() };
  },
  permissions: [
    { apiGroups: ['cluster.x-k8s.io'], resources: ['clusters', 'machines'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
  ],
  templates: {
    'cluster-template.yaml': readFileSync(new URL('../../templates/cluster-template.yaml', import.meta.url), 'utf8'),
  },
});
