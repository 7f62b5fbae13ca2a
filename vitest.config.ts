import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Left to itself, vitest keeps one core free, which on two is half of the machine.
const maxWorkers = Math.max(2, availableParallelism() - 1);

/** Tests that measure the machine, run machines on it, ask for certain ports of it, or kill while others race for a lease. */
const wantsTheMachine = [
  'test/console/**/*.test.ts',
  'test/host/**/*.test.ts',
  'test/kvm/**/*.test.ts',
  'test/etcd/**/*.test.ts',
  'test/{terminal/*,clusterctl/terminal}.test.ts',
  'test/drivers/command.test.ts',
  'test/clusters/beside-upstream.test.ts',
  '{packages/plane/test,test/runtime}/leader-kill.test.ts',
  'test/vsphere/{guide,haproxy-load-balancer,vcenter-crash,vcenter-outage,vcenter-restart}.test.ts',
];
const buildOnce = 'packages/cli/test/support/build-once.ts';
const systemDeadlines = { testTimeout: 240_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

// Deadlines are there to end a test that hangs, and never to judge one: a slow machine must not fail what is right.
// Unit tests stand beside their file; whatever needs a server, a peer binary or a child process lives in a `test/` folder
// and runs in its own project, so that `npm run test:unit` stays quick.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
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
          include: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: wantsTheMachine,
          globalSetup: buildOnce,
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
          include: ['test/**/*.test.ts'],
          exclude: wantsTheMachine,
          globalSetup: buildOnce,
          ...systemDeadlines,
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'alone',
          include: wantsTheMachine,
          globalSetup: buildOnce,
          ...systemDeadlines,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      // Only when asked for: `npm run e2e:real` takes a quarter of an hour. Its short form is among the tests above.
      ...(process.env['E2E_REAL'] === undefined
        ? []
        : [{ test: { name: 'real', include: ['test/host/*.long.ts'], bail: 1 } }]),
      ...(process.env['E2E_KVM'] === undefined ? [] : [{ test: { name: 'kvm', include: ['test/kvm/*.long.ts'] } }]),
    ],
  },
});
