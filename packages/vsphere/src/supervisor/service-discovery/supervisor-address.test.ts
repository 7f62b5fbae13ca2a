import { describe, expect, it } from 'vitest';
import { addressFromKubeconfig } from './supervisor-address.js';

const config = (parts: object): Record<string, string> => ({ kubeconfig: JSON.stringify(parts) });
const cluster = (name: string, server: string): object => ({ name, cluster: { server } });

describe('addressFromKubeconfig', () => {
  it.each([
    [
      'the cluster without a name',
      { clusters: [cluster('x', 'https://192.0.2.1'), cluster('', 'https://192.0.2.2')] },
      '192.0.2.2',
    ],
    [
      'the only one of a file as kubeadm writes it',
      { clusters: [cluster('', 'https://192.0.2.2')], contexts: null, 'current-context': '', users: null },
      '192.0.2.2',
    ],
    [
      'that of the current context',
      {
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'y' } }],
        clusters: [cluster('x', 'https://192.0.2.1'), cluster('y', 'https://[fd00::1]:6443')],
      },
      'fd00::1',
    ],
  ])('takes %s', (_name, parts, address) => {
    expect(addressFromKubeconfig(config(parts))).toEqual({ type: 'known', addresses: [address] });
  });

  it.each([
    ['nothing', undefined, 'has no kubeconfig'],
    ['no server', config({ clusters: [] }), 'names no server'],
    ['something else', { kubeconfig: ': :' }, 'names no server'],
    [
      '54: a name',
      config({ clusters: [cluster('', 'https://sv.example.com')] }),
      'sv.example.com, which is a name and not an address',
    ],
  ])('%s is no address, and no failure either', (_name, data, problem) => {
    expect(addressFromKubeconfig(data)).toEqual({
      type: 'unknown',
      problem: expect.stringContaining(problem) as string,
    });
  });
});
