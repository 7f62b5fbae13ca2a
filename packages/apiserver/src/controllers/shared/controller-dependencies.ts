import { type Clock, type Logger, Scope } from '@slipway/base';
import { KeyedLoop, type RunAgain } from './keyed-loop.js';
import { LoopbackClient } from '../../registry/index.js';
import type { Registry, Store } from '../../contract/index.js';

/** Dependencies of every controller. */
export interface ControllerDependencies {
  readonly registry: Registry;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A running controller and the scope that stops it. */
export interface Controller {
  readonly scope: Scope;
  readonly loop: KeyedLoop;
  readonly client: LoopbackClient;
}

/** Field manager of the controllers, the same as upstream's. */
export const controllerManagerName = 'kube-controller-manager';

export function createController(
  dependencies: ControllerDependencies,
  name: string,
  run: (key: string, client: LoopbackClient) => Promise<RunAgain | void>,
  concurrency = 1,
): Controller {
  const scope = new Scope();
  const client = new LoopbackClient(dependencies.registry, controllerManagerName);
  const { clock, logger } = dependencies;
  const loop = scope.add(new KeyedLoop({ name, clock, logger, concurrency, run: (key) => run(key, client) }));
  return { scope, loop, client };
}
