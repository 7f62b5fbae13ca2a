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
import { createOperatorControllers, operatorKinds, type OperatorWorld } from '../src/index.js';
import { standInForDeployments } from './deployment-stand-in.js';

export { inventoryEntries };

/** The operator on a server, and a client to it. */
export interface OperatorUnderTest {
  readonly client: Client;
  /** What it counts, as it is scraped. */
  metrics(): Promise<string>;
  /** Stops the operator and starts another one, as after a crash of its pod. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const patienceMs = 100_000;
/** As after a crash: nobody waits for what is under way. */
const gracefulStopMs = 100;

export async function startOperator(
  connection: ConnectionConfig,
  { stop: stopServer, ...world }: Partial<OperatorWorld> & { readonly stop?: () => Promise<void> } = {},
): Promise<OperatorUnderTest> {
  const client = createHttpClient(connection);
  const environment = { client, clock: systemClock, random: systemRandom, logger: silentLogger };
  const kinds = [...operatorKinds, inventoryKind].map((kind) => toCustomResourceDefinition(kind));
  await ensureDefinitions(client, kinds, environment);
  const writer = new ChangeExecutor({ ...environment, controller: 'test' });
  const samples = new URL('../../../docs/samples/cert-manager-definitions.yaml', import.meta.url);
  for (const object of parseObjects(readFileSync(samples, 'utf8')))
    await applyObject(writer, object, { fieldManager: 'test', reason: 'Test', message: 'Applied' });
  const standIn = standInForDeployments(client);
  let metrics = (): Promise<string> => Promise.resolve('');
  const start = async (): Promise<() => Promise<void>> => {
    const set = createOperatorControllers({ builtin: [], readConfig: () => Promise.resolve(''), ...world });
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
      await standIn.stop();
      client.close();
      await stopServer?.();
    },
  };
}

/** Waits until somebody was told of an object, for each of these reasons. */
export async function untilTold(
  client: Client,
  { namespace, name }: ObjectKey,
  reasons: readonly string[],
): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
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
    throw new Error(`nobody was told of ${namespace}/${name}: ${[...missing].join(', ')}`, { cause: error });
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
