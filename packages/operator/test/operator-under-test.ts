import { readFileSync } from 'node:fs';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { applyObject, parseObjects } from '@slipway/clusterctl';
import { providers as inventoryEntries, provider as inventoryKind } from '@slipway/cluster-api';
import { isReason, toCustomResourceDefinition } from '@slipway/kube';
import { ensureDefinitions } from '@slipway/plane';
import {
  type Client,
  composeControllers,
  type ConnectionConfig,
  createHttpClient,
  createManager,
  events,
  namespaces,
  type ObjectKey,
  type Resource,
  selectControllers,
  ChangeExecutor,
} from '@slipway/runtime';
import { createOperatorControllers, operatorKinds } from '../src/index.js';
import type { OperatorDependencies } from '../src/provider/dependencies.js';
import { simulatedForDeployments } from './simulated-deployments.js';

export { inventoryEntries };

/** An operator with its API server and a client. */
export interface OperatorUnderTest {
  readonly client: Client;
  /** Metrics in the exposition format. */
  metrics(): Promise<string>;
  /** Restarts the operator, as after a crash of its pod. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const timeoutMs = 100_000;
/** Short grace period, as after a crash: reconciles in progress are not awaited. */
const gracefulStopMs = 100;

export async function startOperator(
  connection: ConnectionConfig,
  { stop: stopServer, ...dependencies }: Partial<OperatorDependencies> & { readonly stop?: () => Promise<void> } = {},
): Promise<OperatorUnderTest> {
  const client = createHttpClient(connection);
  const environment = { client, clock: systemClock, random: systemRandom, logger: silentLogger };
  const kinds = [...operatorKinds, inventoryKind].map((kind) => toCustomResourceDefinition(kind));
  await ensureDefinitions(client, kinds, environment);
  const writer = new ChangeExecutor({ ...environment, controller: 'test' });
  const samples = new URL('../../../docs/samples/cert-manager-definitions.yaml', import.meta.url);
  for (const object of parseObjects(readFileSync(samples, 'utf8')))
    await applyObject(writer, object, { fieldManager: 'test', reason: 'Test', message: 'Applied' });
  const simulator = simulatedForDeployments(client);
  let metrics = (): Promise<string> => Promise.resolve('');
  const start = async (): Promise<() => Promise<void>> => {
    const set = createOperatorControllers({ builtin: [], readConfig: () => Promise.resolve(''), ...dependencies });
    const composition = composeControllers({ ...environment, chosen: selectControllers([set]) });
    const { controllers, sources } = composition;
    const manager = createManager({ ...environment, name: 'operator', controllers, sources, gracefulStopMs });
    composition.measure(manager.registry);
    metrics = () => manager.registry.metrics();
    await manager.start();
    return async () => {
      await manager.stop();
      await composition.dispose();
    };
  };
  let stopManager = await start();
  return {
    client,
    metrics: () => metrics(),
    async restart() {
      await stopManager();
      stopManager = await start();
    },
    async stop() {
      await stopManager();
      await simulator.stop();
      client.close();
      await stopServer?.();
    },
  };
}

/** Waits for events of an object with each of these reasons. */
export async function untilEvents(
  client: Client,
  { namespace, name }: ObjectKey,
  reasons: readonly string[],
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  const missing = new Set(reasons);
  try {
    while (missing.size > 0)
      for await (const batch of client.watch(events, { namespace, sendInitialEvents: true, signal })) {
        for (const event of batch)
          if ((event.type === 'ADDED' || event.type === 'MODIFIED') && event.object.regarding?.name === name)
            missing.delete(event.object.reason ?? '');
        if (missing.size === 0) break;
      }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`no events for ${namespace}/${name}: ${[...missing].join(', ')}`, { cause: error });
  }
}

export async function isAbsent(client: Client, resource: Resource, key: ObjectKey): Promise<boolean> {
  try {
    await client.get(resource, key);
    return false;
  } catch (error) {
    if (isReason(error, 'NotFound')) return true;
    throw error;
  }
}

export async function ensureNamespace(client: Client, name: string): Promise<void> {
  try {
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
