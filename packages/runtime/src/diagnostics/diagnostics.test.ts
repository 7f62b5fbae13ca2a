import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { Client, Resource } from '../client/index.js';
import { openEndpoint, parseAddress, reviewedByServer } from './index.js';

describe('listen addresses', () => {
  it.each([
    [':9440', { host: undefined, port: 9440 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['[::1]:8443', { host: '::1', port: 8443 }],
  ])('parses %s', (address, then) => {
    expect(parseAddress(address)).toEqual(then);
  });
  it.each(['9440', 'host:', 'host:x', 'host:70000', ''])('rejects %j', (address) => {
    expect(() => parseAddress(address)).toThrow(RangeError);
  });
});

describe('a protected diagnostics endpoint', () => {
  const answers: Record<string, (object: KubeObject) => object> = {
    tokenreviews: ({ spec }) => {
      const known = (spec as { token: string }).token !== 'unknown';
      return { authenticated: known, user: { username: (spec as { token: string }).token, groups: ['g'] } };
    },
    subjectaccessreviews: ({ spec }) => ({ allowed: (spec as { user: string }).user === 'reader' }),
  };
  const client = {
    create: (resource: Resource, object: KubeObject) =>
      Promise.resolve({ ...object, status: answers[resource.plural]?.(object) }),
  } as unknown as Client;

  it.each([
    ['', 401],
    ['Bearer unknown', 401],
    ['Bearer stranger', 403],
    ['Bearer reader', 200],
  ])('asks the API server whether the user may read: %j gives %d', async (authorization, status) => {
    const route = (): { status: number; body: string } => ({ status: 200, body: 'ok' });
    const endpoint = await openEndpoint({ address: '127.0.0.1:0', route, authorize: reviewedByServer(client) });
    const headers: Record<string, string> = authorization === '' ? {} : { authorization };
    const response = await fetch(`http://127.0.0.1:${endpoint.port}/metrics`, { headers });
    await endpoint.close();
    expect(response.status).toBe(status);
  });

  it('accepts only GET', async () => {
    const endpoint = await openEndpoint({ address: '127.0.0.1:0', route: () => undefined });
    const response = await fetch(`http://127.0.0.1:${endpoint.port}/`, { method: 'POST', body: 'x' });
    await endpoint.close();
    expect(response.status).toBe(405);
  });
});
