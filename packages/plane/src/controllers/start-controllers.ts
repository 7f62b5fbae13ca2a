import type { KubernetesServer } from '@slipway/apiserver';
import { type Clock, type Disposable, type Logger, type Random, Scope } from '@slipway/base';
import { type KeySource } from '@slipway/pki';
import {
  type ChangeFeed,
  composeControllers,
  type ConnectRemote,
  type ControllerChoices,
  type ControllerSet,
  createManager,
  selectControllers,
} from '@slipway/runtime';
import { InProcessClient } from '../client/index.js';
import { ensureDefinitions } from '../kinds/index.js';
import { registerWebhooks } from './in-process-webhooks.js';

export interface EmbeddedControllersOptions {
  readonly server: Pick<KubernetesServer, 'registry' | 'admission' | 'registerConverter' | 'addMetrics'>;
  readonly sets: readonly ControllerSet[];
  readonly choices?: ControllerChoices;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly keys?: KeySource;
  /** Connects to workload clusters. Default: over HTTPS. */
  readonly connect?: ConnectRemote;
  /** Feed to which the controllers' changes are published. */
  readonly changes?: ChangeFeed;
  /** Dry run: nothing is written and no external call is made; the feed shows the intended changes. */
  readonly dryRun?: boolean;
}

/**
 * Runs controllers in the process of the embedded server, with an in-process client. No leader election is needed, because
 * only one process at a time uses the data directory.
 */
export async function startEmbeddedControllers(options: EmbeddedControllersOptions): Promise<Disposable> {
  const { server, sets, clock, random, logger, changes, dryRun } = options;
  const chosen = selectControllers(sets, options.choices);
  const scope = new Scope();
  if (chosen.controllers.length === 0) return scope;
  const client = new InProcessClient({ registry: server.registry });
  const composition = composeControllers({
    chosen,
    client,
    clock,
    random,
    logger,
    ...(options.keys && { keys: options.keys }),
    ...(options.connect && { connect: options.connect }),
  });
  try {
    // Register webhooks before the CRDs, so that no object is admitted or converted without them.
    for (const webhooks of composition.webhooks) scope.add(registerWebhooks(server, webhooks, random));
    const definitions = chosen.sets.flatMap((set) => set.customResourceDefinitions?.() ?? []);
    if (definitions.length > 0) await ensureDefinitions(client, definitions, { clock, random });
    const { controllers, sources } = composition;
    const manager = createManager({
      name: 'slipway',
      client,
      sources,
      controllers,
      clock,
      random,
      logger,
      ...(changes && { changes }),
      ...(dryRun && { dryRun }),
    });
    scope.add(composition);
    scope.defer(() => manager.stop());
    composition.measure(manager.registry);
    scope.add(server.addMetrics(manager.registry));
    await manager.start();
    return scope;
  } catch (error) {
    await composition.dispose();
    await composition.sources.stop();
    await scope.dispose();
    throw error;
  }
}
