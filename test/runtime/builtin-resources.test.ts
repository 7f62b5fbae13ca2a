import { afterAll, beforeAll, expect, it } from 'vitest';
import * as runtime from '@slipway/runtime';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';

const isResource = (value: unknown): value is runtime.Resource =>
  typeof value === 'object' && value !== null && 'plural' in value;
const builtins = Object.values(runtime as unknown as Record<string, unknown>).filter(isResource);

let server: RealKubeApiserver;
let client: runtime.HttpClient;

beforeAll(async () => {
  server = await startRealKubeApiserver();
  client = runtime.createHttpClient(runtime.connectionOf(runtime.parseKubeconfig(server.kubeconfig)));
});

afterAll(async () => {
  client?.close();
  await server?.stop();
});

it.each(builtins)('declares $kind of $group as kube-apiserver serves it', async (resource) => {
  const { group, kind, version } = resource;
  expect(await client.resourceFor({ group, kind, version })).toEqual(resource);
});

it('declares all kinds that controllers use', () => {
  expect(builtins.length).toBeGreaterThan(25);
});
