import { type Clock, type Logger, Scope } from '@slipway/base';
import { KeyedLoop, type RunAgain } from './keyed-loop.js';
import { LoopbackClient } from '../../registry/index.js';
import type { Registry, Store } from '../../contract/index.js';

/** What every control loop works with. */
export interface ControllerWorld {
  readonly registry: Registry;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A loop under way, and the scope that ends it. */
export interface Controller {
  readonly scope: Scope;
  readonly loop: KeyedLoop;
  readonly client: LoopbackClient;
}

/** The name under which the fields that loops write are owned, as upstream's are. */
export const controllerManagerName = 'kube-controller-manager';

export function createController(
  world: ControllerWorld,
  name: string,
  run: (key: string, client: LoopbackClient) => Promise<RunAgain | void>,
  concurrency = 1,
): Controller {
  const scope = new Scope();
  const client = new LoopbackClient(world.registry, controllerManagerName);
  const { clock, logger } = world;
  const loop = scope.add(new KeyedLoop({ name, clock, logger, concurrency, run: (key) => run(key, client) }));
  return { scope, loop, client };
}
