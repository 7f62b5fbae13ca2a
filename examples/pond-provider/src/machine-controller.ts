import { defineInfrastructureMachine } from '@slipway/provider-kit';
import { type Controller, type ControllerContext, done, keyOf } from '@slipway/runtime';
import type { Cloud, Server } from './cloud.js';
import { pondClusters, pondMachines } from './kinds.js';

const serverCreated = 'ServerCreated';

export function createPondMachineController(cloud: Cloud, context: ControllerContext): Controller {
  return defineInfrastructureMachine(
    {
      name: 'pondmachine',
      resource: pondMachines,
      clusterResource: pondClusters,
      finalizer: 'pondmachine.infrastructure.cluster.x-k8s.io',
      conditions: { provisioned: serverCreated, ready: [serverCreated] },
      async ensure(scope) {
        const { machine, cluster, infraMachine, context } = scope;
        // The server is named by uid, because a later machine with the same name is another machine.
        const { uid = '', name = '' } = infraMachine.metadata;
        let server: Server | undefined = cloud.find(uid);
        if (server === undefined) {
          await scope.confirmWanted();
          // A real provider passes the bootstrap data of the Machine to the server here.
          server = await context.change({
            verb: 'call',
            resource: pondMachines,
            key: keyOf(infraMachine),
            action: 'create server',
            reason: 'Creating',
            message: `Creating a server for PondMachine ${name}`,
            run: async () => cloud.create(uid),
          });
        }
        const { address } = server;
        const providerID = `pond://${server.name}`;
        await cloud.guests?.boot({ machine, cluster, name, uid, address, providerId: providerID }, context);
        return {
          machine: { providerID, addresses: [{ type: 'InternalIP', address }] },
          conditions: [{ type: serverCreated, status: 'True', reason: 'Created', message: '' }],
          outcome: done(),
        };
      },
      async remove({ infraMachine, cluster, context }) {
        const { uid = '', name = '' } = infraMachine.metadata;
        if (cluster !== undefined) await cloud.guests?.shutDown(keyOf(cluster), name);
        if (cloud.find(uid) === undefined) return undefined;
        await context.change({
          verb: 'call',
          resource: pondMachines,
          key: keyOf(infraMachine),
          action: 'delete server',
          reason: 'Deleting',
          message: `Deleting the server of PondMachine ${name}`,
          run: async () => cloud.delete(uid),
        });
        return undefined;
      },
    },
    context,
  );
}
