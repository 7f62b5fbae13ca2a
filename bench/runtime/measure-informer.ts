import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock, systemRandom } from '@slipway/base';
import { toCustomResourceDefinition } from '@slipway/kube/kit';
import { type Client, customResourceDefinitions, InformerFactory, resourceOf } from '@slipway/runtime';
import { benchMachine, benchMachineKind } from './machines.js';

export const machines = resourceOf(benchMachineKind);

export interface InformerMeasure {
  readonly ms: number;
  readonly cpuMs: number;
  readonly objects: number;
  readonly heapBytes: number;
  readonly jsonBytes: number;
}

/** Installs the kind and writes `count` machines, several at a time. */
export async function fill(client: Client, count: number): Promise<void> {
  const definition = await client.create(customResourceDefinitions, toCustomResourceDefinition(benchMachineKind));
  const watch = { fieldSelector: `metadata.name=${definition.metadata.name}`, sendInitialEvents: true };
  const signal = AbortSignal.timeout(30_000);
  let established = false;
  for await (const batch of client.watch(customResourceDefinitions, { ...watch, signal })) {
    established = batch.some(
      (event) =>
        'object' in event &&
        event.object.status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') === true,
    );
    if (established) break;
  }
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await client.create(machines, benchMachine(next));
    }
  };
  await Promise.all(Array.from({ length: 64 }, write));
}

/** Starts one informer and waits until it has synced. */
export async function measureInformer(client: Client): Promise<InformerMeasure> {
  const before = heapBytes();
  const started = performance.now();
  const cpu = process.cpuUsage();
  const factory = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  const informer = factory.informer(machines);
  await informer.whenSynced();
  const ms = performance.now() - started;
  const used = process.cpuUsage(cpu);
  const heap = heapBytes() - before;
  let jsonBytes = 0;
  for (const object of informer.list()) jsonBytes += JSON.stringify(object).length;
  const measure = { ms, cpuMs: (used.user + used.system) / 1000, objects: informer.size, heapBytes: heap, jsonBytes };
  await factory.dispose();
  return measure;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
