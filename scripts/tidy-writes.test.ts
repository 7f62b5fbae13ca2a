import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/**
 * Packages whose code runs in controllers. They read through a Reader and write by passing a Change to the executor.
 */
const controllerPackages = [
  'cluster-api',
  'provider-kit',
  'kubeadm',
  'dev',
  'host',
  'kvm',
  'vsphere',
  'drivers',
  'operator',
  'openshift',
  'simulators',
];

/** Files that may have a client with write methods, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  'packages/cluster-api/src/toolkit/cluster-cache/cluster-cache.ts': 'opens the clients of workload clusters',
  'packages/cluster-api/src/toolkit/cluster-cache/cluster-connection.ts':
    'probes workload clusters, and gives their clients to the executor alone',
  'packages/dev/src/workload/workload-templates.ts':
    'fills the simulated API server of a workload cluster before it serves',
  'packages/dev/src/workload/workload-client.ts': 'is the client of a simulated workload cluster',
  'packages/dev/src/workload/connect.ts': 'connects the cluster cache to a simulated workload cluster',
  'packages/openshift/src/approver/run-approver.ts': 'is the wiring of a process: hands its client to the manager',
};

const root = new URL('..', import.meta.url).pathname;
const files = execFileSync('git', ['ls-files', ...controllerPackages.map((name) => `packages/${name}/src`)], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/\/(testing|conformance)\//.test(path));

const directWrite =
  /\b(client|api|management|workload)\.(create|update|apply|patch|delete|deleteAll|createSubresource)\(/;
const writableClient = /:\s*(Http|Remote|InProcess)?Client\b/;

it('allows writes of controller packages only through the executor', () => {
  const wrong = files.flatMap((path) =>
    readFileSync(`${root}/${path}`, 'utf8')
      .split('\n')
      .map((line, index) => ({ line, at: `${path}:${index + 1}` }))
      .filter(({ line }) => exceptions[path] === undefined && (directWrite.test(line) || writableClient.test(line)))
      .map(({ line, at }) => `${at}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});

it('lists only exceptions that exist', () => {
  expect(Object.keys(exceptions).filter((path) => !files.includes(path))).toEqual([]);
});
