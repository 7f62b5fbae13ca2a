import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { configMaps, InformerFactory, leases, namespaces } from '@slipway/runtime';
import { bundleScript } from '../../apiserver/test/bundle-script.js';
import { InProcessClient } from '../src/index.js';
import { startEmbeddedServer } from './embedded-server.js';

const namespace = 'default';
const leaseDurationMs = 3_000;
const scope = new Scope();
afterAll(() => scope.dispose());

interface Seen {
  readonly version: number;
  readonly leader?: string;
  readonly writer?: string;
  readonly at: number;
}

it('killing the leader with kill -9 hands over within the lease duration, and no two ever write in one term', async () => {
  const embedded = await startEmbeddedServer();
  scope.defer(() => embedded.stop());
  const folder = await mkdtemp(join(tmpdir(), 'slipway-leader-'));
  scope.defer(() => rm(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, await embedded.kubeconfig());
  // Beside the package, so that the bundle finds what is not in it.
  const script = join(import.meta.dirname, `.leader-process-${process.pid}.mjs`);
  scope.defer(() => rm(script, { force: true }));
  await bundleScript(join(import.meta.dirname, 'leader-process.ts'), script);
  const client = new InProcessClient({ registry: embedded.server.registry });
  const factory = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  scope.add(factory);
  await client
    .create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    .catch(() => undefined);
  await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'written', namespace } });
  const seen: Seen[] = [];
  const versionOf = (object: { metadata: { resourceVersion?: string } }): number =>
    Number(object.metadata.resourceVersion);
  const note = (fact: Omit<Seen, 'at'>): void => void seen.push({ ...fact, at: performance.now() });
  const writes = factory.informer(configMaps, { namespace });
  const elections = factory.informer(leases, { namespace });
  elections.addHandler({
    added: (lease) => note({ version: versionOf(lease), leader: lease.spec?.holderIdentity ?? '' }),
    updated: (lease) => note({ version: versionOf(lease), leader: lease.spec?.holderIdentity ?? '' }),
  });
  writes.addHandler({
    updated: (object) => note({ version: versionOf(object), writer: object.data?.['by'] ?? '' }),
  });
  const children = new Map<string, ChildProcess>();
  const launch = (identity: string): void => {
    const child: ChildProcess = spawn(process.execPath, [script, kubeconfig, identity, namespace], {
      stdio: 'inherit',
    });
    children.set(identity, child);
    scope.defer(() => void child.kill('SIGKILL'));
  };
  const writtenByOther = (than: string): Promise<string> =>
    writes.waitFor(
      (view) => {
        const { by, count } = view.get({ namespace, name: 'written' })?.data ?? {};
        // Killed in full swing: that is when something may still be under way.
        return by !== than && Number(count) >= 10 && by;
      },
      { signal: AbortSignal.timeout(30_000) },
    );
  launch('one');
  launch('two');
  const gaps: number[] = [];
  let leader = await writtenByOther('');
  for (const next of ['three', 'four']) {
    launch(next);
    const child = children.get(leader) as ChildProcess;
    child.kill('SIGKILL');
    await once(child, 'exit');
    const last = seen.findLast(({ writer }) => writer === leader)?.at ?? 0;
    leader = await writtenByOther(leader);
    gaps.push((seen.find(({ writer }) => writer === leader)?.at ?? 0) - last);
  }
  const ordered = [...seen].sort((left, right) => left.version - right.version);
  let holder = '';
  const violations = ordered.filter((fact) => {
    holder = fact.leader ?? holder;
    return fact.writer !== undefined && fact.writer !== holder;
  });
  expect(violations).toEqual([]);
  expect(ordered.filter(({ writer }) => writer !== undefined).length).toBeGreaterThan(10);
  // The lease, the longest pause between two looks of a candidate, and room for a busy machine.
  for (const gap of gaps) expect(gap).toBeLessThan(leaseDurationMs + 500 * 2.2 + 2_000);
}, 60_000);
