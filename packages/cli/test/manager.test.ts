import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InProcessClient } from '@slipway/plane';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { bundleScript } from '@slipway/testing/process';
import { managerCommandConformance } from './manager-conformance.js';
import { runScript } from './support/command.js';

managerCommandConformance('on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  return {
    client: new InProcessClient({ registry: embedded.server.registry }),
    kubeconfig: await embedded.kubeconfig(),
    stop: () => embedded.stop(),
  };
});

describe('slipway manager', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-manager-'));
  const script = join(import.meta.dirname, `.refusing-manager-${process.pid}.mjs`);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(script, { force: true });
  });
  const bundled = bundleScript(join(import.meta.dirname, 'support/manager-process.ts'), script);
  const manager = async (...args: readonly string[]): ReturnType<typeof runScript> => {
    await bundled;
    return runScript(script, 'manager', '--log-format=json', ...args);
  };
  const kubeconfig = (server: string): string => {
    const file = join(folder, 'nowhere.conf');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'nowhere', cluster: { server } }],
      contexts: [{ name: 'nowhere', context: { cluster: 'nowhere' } }],
      'current-context': 'nowhere',
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  };

  it('reports an unreachable server with the cause and a remedy', async () => {
    // Nothing listens on the discard port.
    const file = kubeconfig('https://127.0.0.1:9');
    const { code, stderr } = await manager(`--kubeconfig=${file}`);
    expect(stderr).toContain(
      'slipway: cannot reach https://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9 (context nowhere)',
    );
    expect(stderr).toContain('start the management plane with `slipway up`');
    expect(code).toBe(1);
  });

  const rows = [
    { name: 'an unknown flag', args: ['--no-such-flag'], expected: "unknown option '--no-such-flag'" },
    {
      name: 'a dry run with leader election',
      args: ['--dry-run', '--leader-elect'],
      expected: '--dry-run cannot be used with --leader-elect',
    },
    { name: 'an unexpected argument', args: ['now'], expected: "unexpected argument 'now'" },
    {
      name: 'an unknown controller',
      args: ['--controllers=machine'],
      expected: 'unknown controller "machine"; known controllers: greeting, samples',
    },
    { name: 'an unknown feature gate', args: ['--feature-gates=X=true'], expected: 'unrecognized feature gate: X' },
    {
      name: 'a concurrency of 0',
      args: ['--greeting-concurrency=0'],
      expected: '--greeting-concurrency must be a whole number, 1 or more',
    },
    {
      name: 'a lease duration below the renew deadline',
      args: ['--leader-elect-renew-deadline=20s'],
      expected: 'leaseDuration must be greater than renewDeadline',
    },
    {
      name: '--leader-elect with --shards',
      args: ['--leader-elect', '--shards=2'],
      expected: '--leader-elect cannot be used with --shards',
    },
    {
      name: 'an address without a port',
      args: ['--health-addr=localhost'],
      expected: '--health-addr: address "localhost" must have the form',
    },
  ];
  it.each(rows)('rejects $name', async ({ args, expected }) => {
    const { code, stderr } = await manager(...args);
    expect(stderr).toContain(expected);
    expect(code).toBe(2);
  });

  it('reports a missing kubeconfig', async () => {
    const { code, stderr } = await manager(`--kubeconfig=${join(folder, 'missing')}`);
    expect(stderr).toContain(
      `slipway: cannot find a management cluster: cannot read ${join(folder, 'missing')}: ENOENT`,
    );
    expect(code).toBe(1);
  });
});
