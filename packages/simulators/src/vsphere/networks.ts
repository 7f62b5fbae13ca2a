import type { KubeObject } from '@slipway/kube';
import {
  type ConditionTarget,
  type Controller,
  createController,
  done,
  edit,
  type Resource,
  setCondition,
} from '@slipway/runtime';

/** Simulates NSX: every network is ready immediately. */
export function createSimulatedNetworkController(resource: Resource): Controller {
  return createController<KubeObject>({
    name: `simulated-${resource.plural}`,
    for: resource,
    async reconcile(key, context) {
      const network = context.sources.sourceFor(resource).get(key);
      if (network === undefined) return done();
      const after = edit(network, (draft) =>
        setCondition(draft as ConditionTarget, { type: 'Ready', status: 'True', reason: 'Ready' }, context.clock.now()),
      );
      await context.change({
        verb: 'status',
        resource,
        before: network,
        after,
        ownedConditions: ['Ready'],
        reason: 'Ready',
        message: 'The simulated network is ready',
      });
      return done();
    },
  });
}
