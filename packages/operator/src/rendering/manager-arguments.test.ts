import { describe, expect, it } from 'vitest';
import type { ManagerSpec } from '../api/index.js';
import { withManagerArguments } from './manager-arguments.js';

const election = {
  leaderElect: true,
  leaseDuration: '15s',
  renewDeadline: '1m30s',
  retryPeriod: '0s',
  resourceLock: 'leases',
  resourceName: 'lock',
  resourceNamespace: 'n',
};

describe('manager arguments', () => {
  const rows: { name: string; manager: ManagerSpec; args?: string[]; then: string[] }[] = [
    { name: 'passes verbosity zero [operators 11]', manager: { verbosity: 0 }, then: ['--v=0'] },
    { name: 'omits the default verbosity [operators 11]', manager: { verbosity: 1 }, then: [] },
    {
      name: 'omits disabled insecure diagnostics [operators 11]',
      manager: { metrics: { insecureDiagnostics: false } },
      then: [],
    },
    {
      name: 'diagnostics',
      manager: { metrics: { insecureDiagnostics: true, diagnosticsAddress: ':8443', bindAddress: ':8080' } },
      then: ['--metrics-bind-addr=:8080', '--diagnostics-address=:8443', '--insecure-diagnostics=true'],
    },
    {
      name: 'replaces an existing argument in place',
      args: ['--v=2', '--x'],
      manager: { verbosity: 5, cacheNamespace: 'n' },
      then: ['--v=5', '--x', '--namespace=n'],
    },
    {
      name: 'concurrency, sorted',
      manager: { controller: { groupKindConcurrency: { MachineSet: 3, Cluster: 2 } }, maxConcurrentReconciles: 7 },
      then: ['--cluster-concurrency=2', '--machineset-concurrency=3', '--max-concurrent-reconciles=7'],
    },
    {
      name: 'an election',
      manager: { leaderElection: election },
      then: [
        '--leader-elect=true',
        '--leader-election-id=n/lock',
        '--leader-elect-lease-duration=15s',
        '--leader-elect-renew-deadline=90s',
      ],
    },
    {
      name: 'no election',
      manager: { leaderElection: { ...election, leaderElect: false } },
      then: ['--leader-elect=false'],
    },
    { name: 'converts hours to seconds', manager: { syncPeriod: '1h0m0.4s' }, then: ['--sync-period=3600s'] },
    {
      name: 'sets webhook and probe addresses',
      manager: { webhook: { host: 'h', port: 9443, certDir: '/c' }, health: { healthProbeBindAddress: ':9440' } },
      then: ['--health-addr=:9440', '--webhook-host=h', '--webhook-cert-dir=/c', '--webhook-port=9443'],
    },
    {
      name: 'merges feature gates over those of the manifest, sorted',
      args: ['--feature-gates=B=true,A=false'],
      manager: { featureGates: { C: true, B: false } },
      then: ['--feature-gates=A=false,B=false,C=true'],
    },
    {
      name: 'appends additional arguments, sorted',
      manager: { additionalArgs: { '--z': '1', '--a': '2' } },
      then: ['--a=2', '--z=1'],
    },
    {
      name: 'ignores fields without an argument',
      manager: { gracefulShutDown: '30s', controller: { cacheSyncTimeout: 5, recoverPanic: true } },
      then: [],
    },
  ];
  it.each(rows)('$name', ({ manager, args = [], then }) => {
    expect(withManagerArguments(args, manager)).toEqual(then);
  });

  it('rejects an additional argument that exists already', () => {
    expect(() => withManagerArguments(['--a=1'], { additionalArgs: { '--a': '2' } })).toThrow('duplicate argument --a');
  });

  it('rejects an invalid duration', () => {
    expect(() => withManagerArguments([], { syncPeriod: 'soon' })).toThrow(
      'spec.manager.syncPeriod: invalid duration "soon"',
    );
  });
});
