import { expect, it } from 'vitest';
import { plainStyle } from '../../output/index.js';
import { unblockText } from './text.js';

const machine = {
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'DevMachine',
  namespace: 'default',
  name: 'demo-x7k2p',
};

it('reports the resources that leak before it removes finalizers', async () => {
  const plan = {
    object: machine,
    deletedAt: '2026-01-01T00:00:00Z',
    finalizers: ['example.com/hold'],
    kept: ['dockermachine.infrastructure.cluster.x-k8s.io'],
    leaks: [{ object: machine, what: 'the virtual machine in-memory://demo-x7k2p' }],
    waitsFor: 'the host to answer',
    resourceVersion: '1',
  };
  await expect(unblockText(plan, plainStyle)).toMatchFileSnapshot('testdata/unblock-plain.txt');
  expect(unblockText({ ...plan, leaks: [], kept: [], waitsFor: undefined }, plainStyle)).toContain(
    'No external resources are known to leak.',
  );
});
