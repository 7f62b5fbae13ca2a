import { describe, expect, it } from 'vitest';
import type { AdmissionPlugin, AdmissionRequest } from '../contract/index.js';
import { AdmissionChain } from './admission-chain.js';
import { testRequest } from './matching/test-support.js';

function plugin(name: string, log: string[], rest: Partial<AdmissionPlugin> = {}): AdmissionPlugin {
  return {
    name,
    handles: () => true,
    mutate: () => void log.push(`mutate ${name}`),
    validate: () => void log.push(`validate ${name}`),
    ...rest,
  };
}

describe('AdmissionChain', () => {
  it('runs plugins in upstream order regardless of registration order, unknown ones in the position of webhooks', async () => {
    const log: string[] = [];
    const chain = new AdmissionChain();
    for (const name of ['ResourceQuota', 'MyKinds', 'ValidatingAdmissionPolicy', 'Priority', 'NamespaceLifecycle'])
      chain.add(plugin(name, log));
    const request = testRequest();
    await chain.mutate(request);
    expect(log).toEqual(
      ['NamespaceLifecycle', 'Priority', 'MyKinds', 'ValidatingAdmissionPolicy', 'ResourceQuota'].map(
        (name) => `mutate ${name}`,
      ),
    );
  });

  it('reinvokes mutation at most once', async () => {
    const rounds: boolean[] = [];
    const chain = new AdmissionChain();
    chain.add({
      name: 'x',
      handles: () => true,
      mutate(_request, round) {
        rounds.push(round.repeated);
        round.repeat();
      },
    });
    await chain.mutate(testRequest());
    expect(rounds).toEqual([false, true]);
  });

  it('reports whether a mutating plugin handles the request', () => {
    const chain = new AdmissionChain();
    const added = chain.add(
      plugin('x', [], { handles: (request: AdmissionRequest) => request.operation === 'UPDATE' }),
    );
    expect(chain.mutates(testRequest())).toBe(false);
    expect(chain.mutates(testRequest({ operation: 'UPDATE' }))).toBe(true);
    void added.dispose();
    expect(chain.mutates(testRequest({ operation: 'UPDATE' }))).toBe(false);
  });
});
