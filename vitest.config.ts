import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// By default vitest keeps one core free, which on two cores is half of the host.
const maxWorkers = Math.max(2, availableParallelism() - 1);

/** Tests in packages that run a program of Debian: QEMU, HAProxy, promtool or Chromium. Most of `test/` does. */
const packageTestsOfPrograms = [
  'packages/clusterctl/test/prometheus-rules.test.ts',
  'packages/console/test/browser.test.ts',
  'packages/kvm/test/{haproxy,pod-machines}.test.ts',
  'packages/vsphere/test/haproxy-data-plane.test.ts',
];

/** Tests that need only Node but kill processes while others race for a lease, and so need the host for themselves. */
const serialNodeTests = [
  'packages/plane/test/leader-kill.test.ts',
  'packages/cli/test/hostile/hostile-clients.test.ts',
];

/** Tests of several packages together that need only Node, without and with a server. */
const sharedUnitTests = ['test/situations/{situations,doctor,console}.test.ts'];
const sharedServerTests = ['test/situations/cluster-creation.test.ts', 'test/situations/real/*.test.ts'];

/** Tests beside real programs that measure the host, run machines on it, need certain ports, or kill during a race. */
const serialRealTests = [
  'test/console/**/*.test.ts',
  'test/host/**/*.test.ts',
  'test/kvm/**/*.test.ts',
  'test/release/**/*.test.ts',
  'test/etcd/**/*.test.ts',
  'test/{terminal/*,clusterctl/terminal}.test.ts',
  'test/drivers/command.test.ts',
  'test/clusters/beside-upstream.test.ts',
  'test/runtime/leader-kill.test.ts',
  'test/vsphere/{guide,haproxy-load-balancer,vcenter-crash,vcenter-outage,vcenter-restart}.test.ts',
];
const installOnce = 'packages/cli/test/support/install-once.ts';
const systemTimeouts = { testTimeout: 240_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

// Timeouts end a test that hangs; they never decide whether one passes: a slow host must not fail correct code.
// Unit tests are beside their file. Tests with a server or a child process are in a `test/` folder and in a project of
// their own, so that `npm run test:unit` stays quick. `npm test` runs `unit`, `server` and `system`, which need Node, npm and
// git; `npm run test:real` runs `real` and `alone`. scripts/test-projects.test.ts checks that each file is in the right one.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', ...sharedUnitTests],
          setupFiles: 'scripts/property-runs.ts',
          testTimeout: process.env['FUZZ_RUNS'] === undefined ? 60_000 : 600_000,
          expect: { poll: { timeout: 30_000 } },
          // Files share their imports: loading every module anew for each of them costs more than all tests together.
          isolate: false,
          maxWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'server',
          include: ['packages/*/test/**/*.test.ts', ...sharedServerTests],
          exclude: [...packageTestsOfPrograms, ...serialNodeTests],
          globalSetup: installOnce,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          maxWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'system',
          include: serialNodeTests,
          globalSetup: installOnce,
          ...systemTimeouts,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'real',
          include: ['test/**/*.test.ts', ...packageTestsOfPrograms],
          exclude: [...serialRealTests, ...sharedUnitTests, ...sharedServerTests],
          globalSetup: installOnce,
          ...systemTimeouts,
          maxWorkers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'alone',
          include: serialRealTests,
          globalSetup: installOnce,
          ...systemTimeouts,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      // Only on request: `npm run e2e:real` takes a quarter of an hour. Its short form is among the tests above.
      ...(process.env['E2E_REAL'] === undefined
        ? []
        : [{ test: { name: 'nodes', include: ['test/host/*.long.ts'], globalSetup: installOnce, bail: 1 } }]),
      ...(process.env['E2E_INSTALL'] === undefined
        ? []
        : [{ test: { name: 'install', include: ['test/release/*.long.ts'], globalSetup: installOnce, bail: 1 } }]),
      ...(process.env['E2E_KVM'] === undefined
        ? []
        : [{ test: { name: 'kvm', include: ['test/kvm/*.long.ts'], globalSetup: installOnce } }]),
    ],
  },
});
