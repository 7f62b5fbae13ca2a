import { systemClock } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { ChangeExecutor, type Client, type PatchChange, type Resource } from '@slipway/runtime';

/** Patches an object with the difference between two states of it, as a controller does. */
export function patchObject<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  before: Frozen<NoInfer<T>>,
  after: Frozen<NoInfer<T>>,
  options: Pick<PatchChange<T>, 'ownedConditions'> = {},
): Promise<Frozen<T>> {
  const executor = new ChangeExecutor({ client, clock: systemClock, controller: 'test' });
  const cause = { reason: 'Test', message: 'Written by a test' };
  return executor.change({ verb: 'patch', resource, before, after, ...options, ...cause });
}
