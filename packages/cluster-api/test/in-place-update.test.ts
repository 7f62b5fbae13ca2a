import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '@slipway/kube';
import { clusterController } from '../src/cluster/index.js';
import { clusterApiControllers, extensionConfigs, machines } from '../src/index.js';
import { machineController } from '../src/machine/index.js';
import { ClusterEnvironment, conditionText, keyOfName } from './support/cluster-environment.js';
import { testConfigs, testMachines } from './support/provider-kinds.js';

const mark = 'in-place-updates.internal.cluster.x-k8s.io/update-in-progress';
const pending = 'runtime.cluster.x-k8s.io/pending-hooks';
const marked = { metadata: { annotations: { [mark]: '' } } };

let environment: ClusterEnvironment;
let answers: JsonObject[];
let requests: JsonObject[];

beforeEach(async () => {
  answers = [];
  requests = [];
  const transport = ({ body }: { readonly body: string }) => {
    requests.push(JSON.parse(body) as JsonObject);
    const answer = { status: 'Success', message: '', retryAfterSeconds: 0, ...answers.shift() };
    return Promise.resolve({ status: 200, body: JSON.stringify(answer) });
  };
  const open = new Set(['InPlaceUpdates', 'RuntimeSDK']);
  environment = await ClusterEnvironment.start({
    featureGates: (clusterApiControllers.featureGates ?? []).map((gate) => ({
      ...gate,
      default: gate.default || open.has(gate.name),
    })),
    controllers: [clusterController(), machineController({ transport })],
  });
  await environment.createAll();
  await environment.bringUpCluster();
});
afterEach(() => environment.plane.stop());

async function register(name: string): Promise<void> {
  await environment.client.create(extensionConfigs, {
    apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
    kind: 'ExtensionConfig',
    metadata: { name },
    spec: { clientConfig: { url: 'https://extension.example.com', caBundle: 'Q0E=' } },
  });
  const requestHook = { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook: 'UpdateMachine' };
  const handlers = [{ name: `update.${name}`, requestHook, timeoutSeconds: 5, failurePolicy: 'Fail' }];
  const key = { namespace: '', name };
  const body = { type: 'merge', patch: { status: { handlers } } } as const;
  await environment.client.patch(extensionConfigs, key, body, { subresource: 'status' });
}

async function markAll(): Promise<void> {
  await environment.patch(testMachines, 'cp', marked);
  await environment.patch(testConfigs, 'cp', marked);
  const annotations = { [mark]: '', [pending]: 'Other,UpdateMachine' };
  await environment.patch(machines, 'cp', { metadata: { annotations } });
}

it('calls the extension until it is done, and removes all annotations', async () => {
  await register('one');
  answers = [
    { retryAfterSeconds: 30, message: 'rebooting' },
    { retryAfterSeconds: 30, message: 'checking' },
  ];
  await markAll();
  const first = await environment.machine('cp', (object) => conditionText(object, 'Updating').includes('rebooting'));
  expect(conditionText(first, 'Updating')).toBe('True InPlaceUpdating: In-place update in progress: rebooting');
  expect(first.status?.phase).toBe('Updating');
  await environment.plane.clock.advance(10_000);
  expect(requests, 'no hook is called before its retry time').toHaveLength(1);
  const desired = requests[0]?.['desired'] as Record<string, JsonObject>;
  expect(Object.keys(desired)).toEqual(['machine', 'infrastructureMachine', 'bootstrapConfig']);
  expect(desired['machine']).not.toHaveProperty('status');
  expect(desired['machine']).toMatchObject({ kind: 'Machine', spec: { clusterName: 'c' } });
  await environment.machine('cp', (object) => conditionText(object, 'Updating').includes('checking'));
  const done = await environment.machine('cp', (object) => conditionText(object, 'Updating').startsWith('False'));
  expect(conditionText(done, 'Updating')).toBe('False NotUpdating: ');
  expect(done.metadata.annotations).toEqual({ [pending]: 'Other' });
  for (const resource of [testMachines, testConfigs])
    expect((await environment.client.get(resource, keyOfName('cp'))).metadata.annotations ?? {}).toEqual({});
});

it('waits until all objects are annotated', async () => {
  await register('one');
  const annotations = { [mark]: '', [pending]: 'UpdateMachine' };
  await environment.patch(machines, 'cp', { metadata: { annotations } });
  await environment.machine('cp', (object) => conditionText(object, 'Updating').startsWith('True'));
  await environment.plane.settle();
  expect(requests).toEqual([]);
});

it('reports that no extension, or more than one, is registered', async () => {
  await markAll();
  const none = await environment.machine('cp', (object) => conditionText(object, 'Updating').includes('Failed'));
  expect(conditionText(none, 'Updating')).toBe(
    'True InPlaceUpdateFailed: UpdateMachine hook failed: please check controller logs for errors',
  );
  await register('one');
  await register('two');
  await environment.plane.clock.advance(60_000);
  expect(requests).toEqual([]);
});
