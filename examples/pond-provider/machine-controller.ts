import { defineInfrastructureMachine } from '@slipway/provider-kit';
import { type Controller, type ControllerContext, done, keyOf } from '@slipway/runtime';
import { pondClusters, pondMachines } from './kinds.js';
import type { Boat, Pond } from './pond.js';

const boatLaunched = 'BoatLaunched';

export function createPondMachineController(pond: Pond, context: ControllerContext): Controller {
  return defineInfrastructureMachine(
    {
      name: 'pondmachine',
      resource: pondMachines,
      clusterResource: pondClusters,
      finalizer: 'pondmachine.infrastructure.cluster.x-k8s.io',
      conditions: { provisioned: boatLaunched, ready: [boatLaunched] },
      async ensure(scope) {
        const { infraMachine, context } = scope;
        // The boat is named by uid, because a later machine with the same name is another machine.
        const { uid = '' } = infraMachine.metadata;
        let boat: Boat | undefined = pond.find(uid);
        if (boat === undefined) {
          await scope.confirmWanted();
          // A real provider hands the bootstrap data of the Machine to the boat here.
          boat = await context.change({
            verb: 'call',
            resource: pondMachines,
            key: keyOf(infraMachine),
            action: 'launch boat',
            reason: 'Launching',
            message: `Launching a boat for PondMachine ${infraMachine.metadata.name ?? ''}`,
            run: async () => pond.launch(uid),
          });
        }
        return {
          machine: {
            providerID: `pond://${boat.name}`,
            addresses: [{ type: 'InternalIP', address: boat.address }],
          },
          conditions: [{ type: boatLaunched, status: 'True', reason: 'Launched', message: '' }],
          outcome: done(),
        };
      },
      async remove({ infraMachine, context }) {
        const { uid = '', name = '' } = infraMachine.metadata;
        if (pond.find(uid) === undefined) return undefined;
        await context.change({
          verb: 'call',
          resource: pondMachines,
          key: keyOf(infraMachine),
          action: 'sink boat',
          reason: 'Deleting',
          message: `Sinking the boat of PondMachine ${name}`,
          run: async () => pond.sink(uid),
        });
        return undefined;
      },
    },
    context,
  );
}
