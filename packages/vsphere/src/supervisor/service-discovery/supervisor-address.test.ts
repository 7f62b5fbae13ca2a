import { describe, expect, it } from 'vitest';
import { addressFromKubeconfig } from './supervisor-address.js';

const config = (parts: object): Record<string, string> => ({ kubeconfig: JSON.stringify(parts) });
const cluster = (name: string, server: string): object => ({ name, cluster: { server } });

describe('addressFromKubeconfig', () => {
  it.each([
    [
      'the cluster with an empty name',
      { clusters: [cluster('x', 'https://192.0.2.1'), cluster('', 'https://192.0.2.2')] },
      '192.0.2.2',
    ],
    [
      'the only cluster of a file in the form of kubeadm',
      { clusters: [cluster('', 'https://192.0.2.2')], contexts: null, 'current-context': '', users: null },
      '192.0.2.2',
    ],
    [
      'the cluster of the current context',
      {
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'y' } }],
        clusters: [cluster('x', 'https://192.0.2.1'), cluster('y', 'https://[fd00::1]:6443')],
      },
      'fd00::1',
    ],
  ])('reads %s', (_name, parts, address) => {
    expect(addressFromKubeconfig(config(parts))).toEqual({ type: 'known', addresses: [address] });
  });

  it.each([
    ['nothing', undefined, 'has no kubeconfig'],
    ['no server', config({ clusters: [] }), 'has no server'],
    ['invalid YAML', { kubeconfig: ': :' }, 'has no server'],
    [
      '54: a DNS name',
      config({ clusters: [cluster('', 'https://sv.example.com')] }),
      'sv.example.com, which is not an IP address',
    ],
  ])('reports %s as a problem without an error', (_name, data, problem) => {
    expect(addressFromKubeconfig(data)).toEqual({
      type: 'unknown',
      problem: expect.stringContaining(problem) as string,
    });
  });
});
