import { VirtualClock } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Resource } from '../client/index.js';
import type { ConditionTarget } from '../conditions/index.js';
import { FakeApi } from '../testing/fake-api.js';
import { ChangeExecutor, ChangeFeed, type ChangeRecord, type ExecutorDependencies } from './index.js';

export interface Machine extends KubeObject {
  spec: { providerID?: string };
  status?: ConditionTarget['status'] & { phase?: string };
}

export const machines: Resource<Machine> = {
  group: 'x.io',
  version: 'v1',
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};
export const key = { namespace: 'ns', name: 'm' };
export const cause = { reason: 'Test', message: 'Changed by a test' };
export const newMachine = (name = 'm'): Machine => ({
  apiVersion: 'x.io/v1',
  kind: 'Machine',
  metadata: { name, namespace: 'ns', finalizers: ['foreign'] },
  spec: {},
});

/** A fake API that holds the Machine `m`, and an executor whose change records and events are collected. */
export interface OpenExecutor {
  readonly api: FakeApi;
  readonly client: ReturnType<FakeApi['client']>;
  readonly machine: Frozen<Machine>;
  readonly executor: ChangeExecutor;
  readonly records: ChangeRecord[];
  readonly events: string[];
}

export async function openExecutor(options: Partial<ExecutorDependencies> = {}): Promise<OpenExecutor> {
  const clock = new VirtualClock();
  const api = new FakeApi(clock);
  const client = api.client();
  const machine = await client.create(machines, newMachine());
  const feed = new ChangeFeed();
  const records: ChangeRecord[] = [];
  feed.subscribe((record) => void records.push(record));
  const events: string[] = [];
  const recorder = {
    record: (about: Frozen<KubeObject>, { type, reason, message }: { type: string; reason: string; message: string }) =>
      void events.push(`${type} ${about.metadata.name ?? ''} ${reason}: ${message}`),
  };
  const executor = new ChangeExecutor({ client, clock, controller: 'test', feed, events: recorder, ...options });
  return { api, client, machine, executor, records, events };
}

export const linesOf = (records: readonly ChangeRecord[]): string[] =>
  records.map(({ verb, object, reason, result }) => `${verb} ${object.kind} ${object.name} ${reason} ${result}`);
