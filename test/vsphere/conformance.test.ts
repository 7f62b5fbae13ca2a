import { setTimeout as delay } from 'node:timers/promises';
import { type Disposable, silentLogger, systemClock } from '@slipway/base';
import { clusterApiControllers } from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import { type ConformancePlane, providerConformance } from '@slipway/provider-kit/conformance';
import { makeSimulatedTemplate } from '@slipway/simulators';
import { createVCenter, SessionPool, vsphereClusters, vsphereKinds, vsphereMachines } from '@slipway/vsphere';
import { describe, expect, it } from 'vitest';
import { ObjectEnvironment } from '../../packages/vsphere/test/support/object-environment.js';
import { openPlane, type Plane } from '../../packages/vsphere/test/support/plane-environment.js';
import { startVcsim } from '../support/vcsim.js';
import { machineSpec } from './vcenter-manifests.js';
import { addressPrefix, createCredentials, madeIn, password, templateName } from './vcenter-environment.js';

const credentials = 'conformance';
/** Longer than any operation of the simulated vCenter. */
const settleMs = 2_000;

let server = '';
let externalMachines = (): Promise<string[]> => Promise.resolve([]);

/** Starts vCenter mode with govmomi's vcsim and the real Cluster API controllers. */
async function startPlane(): Promise<ConformancePlane> {
  const plane = await openPlane({ kinds: vsphereKinds, namespaces: ['capv-system'] });
  const { client, changes, scope } = plane;
  const vcsim = await startVcsim('-username', 'admin', '-password', password, '-addresses', addressPrefix);
  scope.defer(() => vcsim.stop());
  const sessions = scope.add(new SessionPool({ clock: systemClock, logger: silentLogger }));
  const session = sessions.get({ server: vcsim.server, username: 'admin', password });
  await makeSimulatedTemplate(session, templateName);
  server = vcsim.server;
  externalMachines = () => madeIn(session);
  const environment = new ObjectEnvironment(client, 'default');
  let controllers = await startControllers(plane);
  return {
    client,
    changes,
    until: (resource, { name }, check) =>
      environment.until(resource, (objects) => objects.find((object) => nameOf(object) === name && check(object))),
    async untilGone(resource, key) {
      await expect
        .poll(() => client.get(resource, key).catch((error: unknown) => isReason(error, 'NotFound')))
        .toBe(true);
    },
    settle: () => delay(settleMs),
    async restartControllers() {
      await controllers.dispose();
      controllers = await startControllers(plane);
    },
    async stop() {
      await controllers.dispose();
      await scope.dispose();
    },
  };
}

function nameOf(object: { readonly metadata: { readonly name?: string } }): string | undefined {
  return object.metadata.name;
}

async function startControllers(plane: Plane): Promise<Disposable> {
  const mode = createVCenter();
  const running = await plane.start([clusterApiControllers, mode.controllers]);
  return {
    async dispose() {
      await running.dispose();
      await mode.dispose();
    },
  };
}

describe('provider conformance of vCenter mode', () => {
  const cases = providerConformance({
    start: startPlane,
    clusterResource: vsphereClusters,
    machineResource: vsphereMachines,
    get clusterSpec() {
      const controlPlaneEndpoint = { host: '127.0.0.1', port: 6443 };
      return { server, identityRef: { kind: 'Secret', name: credentials }, controlPlaneEndpoint };
    },
    machineSpec,
    prepare: ({ client }) => createCredentials(new ObjectEnvironment(client, 'default'), credentials),
    externalMachines: () => externalMachines(),
  });
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
