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

describe('slipway manager refuses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-manager-'));
  const script = join(import.meta.dirname, `.refusing-manager-${process.pid}.mjs`);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(script, { force: true });
  });
  const bundled = bundleScript(join(import.meta.dirname, 'support/manager-process.ts'), script);
  const manager = async (...words: readonly string[]): ReturnType<typeof runScript> => {
    await bundled;
    return runScript(script, 'manager', '--log-format=json', ...words);
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

  it('a server that does not answer: which, why, and what to try', async () => {
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
    { name: 'an unknown flag', words: ['--no-such-flag'], says: "unknown option '--no-such-flag'" },
    {
      name: 'a dry run that would take the lease',
      words: ['--dry-run', '--leader-elect'],
      says: '--dry-run cannot be used with --leader-elect',
    },
    { name: 'an argument', words: ['now'], says: "unexpected argument 'now'" },
    {
      name: 'an unknown controller',
      words: ['--controllers=machine'],
      says: 'unknown controller "machine"; known controllers: greeting, samples',
    },
    { name: 'an unknown gate', words: ['--feature-gates=X=true'], says: 'unrecognized feature gate: X' },
    {
      name: 'no width',
      words: ['--greeting-concurrency=0'],
      says: '--greeting-concurrency must be a whole number, 1 or more',
    },
    {
      name: 'times that do not fit',
      words: ['--leader-elect-renew-deadline=20s'],
      says: 'leaseDuration must be greater than renewDeadline',
    },
    {
      name: 'two ways to share',
      words: ['--leader-elect', '--shards=2'],
      says: '--leader-elect cannot be used with --shards',
    },
    {
      name: 'half an address',
      words: ['--health-addr=localhost'],
      says: '--health-addr: address "localhost" must have the form',
    },
  ];
  it.each(rows)('$name', async ({ words, says }) => {
    const { code, stderr } = await manager(...words);
    expect(stderr).toContain(says);
    expect(code).toBe(2);
  });

  it('a missing kubeconfig', async () => {
    const { code, stderr } = await manager(`--kubeconfig=${join(folder, 'missing')}`);
    expect(stderr).toContain(
      `slipway: cannot find a management cluster: cannot read ${join(folder, 'missing')}: ENOENT`,
    );
    expect(code).toBe(1);
  });
});
