import type { KubeObject } from '@slipway/kube';
import {
  type ConditionTarget,
  type Controller,
  createController,
  done,
  edit,
  patchObject,
  type Resource,
  setCondition,
} from '@slipway/runtime';

/** Plays NSX: every network is ready at once. */
export function createStandInNetworkController(resource: Resource): Controller {
  return createController<KubeObject>({
    name: `stand-in-${resource.plural}`,
    for: resource,
    async reconcile(key, { client, clock, sources, signal }) {
      const network = sources.sourceFor(resource).get(key);
      if (network === undefined) return done();
      const after = edit(network, (draft) =>
        setCondition(draft as ConditionTarget, { type: 'Ready', status: 'True', reason: 'Ready' }, clock.now()),
      );
      await patchObject(client, resource, network, after, { ownedConditions: ['Ready'], signal });
      return done();
    },
  });
}
