import { notFound } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { cloneVm } from './clone-vm.js';
import type { VmScope } from './vm-scope.js';

describe('a deleted VSphereVM that is still in the cache', () => {
  it('is not cloned', async () => {
    const calls: string[] = [];
    const note = async (what: string): Promise<never> => {
      calls.push(what);
      throw new Error(what);
    };
    const context = {
      read: { get: () => Promise.reject(notFound({ group: 'x', resource: 'vspherevms' }, 'vm')) },
      signal: new AbortController().signal,
      check: () => undefined,
    };
    const vm = { metadata: { namespace: 'default', name: 'vm', uid: 'u' }, spec: { template: 't' } };
    const session = { soap: { call: note, content: () => note('content') }, rest: { call: note, request: note } };
    const scope = { context, report: { vm, hasProvisionedCondition: true }, session, options: {} };
    await expect(cloneVm(scope as unknown as VmScope)).rejects.toMatchObject({ reason: 'Conflict' });
    expect(calls).toEqual([]);
  });
});
