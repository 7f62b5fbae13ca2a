import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { formatMicroTime } from '@slipway/kube';
import { type Client, configMaps, InformerFactory, leases, namespaces } from '@slipway/runtime';
import { bundleScript } from '@slipway/testing/process';
import { type Greeting, greetings } from '../../../docs/samples/greeting.js';

export interface ManagerTarget {
  readonly client: Client;
  /** Kubeconfig of the administrator. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

interface Line extends Readonly<Record<string, unknown>> {
  readonly msg: string;
}

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

const namespace = 'samples';
const timeoutMs = 100_000;
const tried = { namespace, name: 'tried' };
const quiet = ['--diagnostics-address=0', '--health-addr=0', '--log-format=json'];
/** Leader election flags with a short retry period and a long lease duration: on a busy host a process can stall for seconds. */
const quick = [
  '--leader-elect',
  '--leader-elect-lease-duration=9s',
  '--leader-elect-renew-deadline=6s',
  '--leader-elect-retry-period=500ms',
];
const greeting = (name: string, whom: string, labels?: Record<string, string>): Greeting => ({
  apiVersion: 'samples.slipway.dev/v1',
  kind: 'Greeting',
  metadata: { name, namespace, ...(labels !== undefined && { labels }) },
  spec: { name: whom },
});

/** A `slipway manager` in a separate process. */
class ManagerProcess {
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  readonly ended: Promise<Ended>;
  readonly #waiting = new Set<() => void>();

  constructor(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [script, 'manager', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    this.child = child;
    let stderr = '';
    createInterface({ input: child.stderr }).on('line', (line) => {
      stderr += `${line}\n`;
      if (line.startsWith('{')) this.lines.push(JSON.parse(line) as Line);
      for (const check of this.#waiting) check();
    });
    this.ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }));
  }

  /** Waits for a log line with this message that also matches. */
  async waitForLog(message: string, matches: (line: Line) => boolean = () => true): Promise<Line> {
    const found = new Promise<Line>((resolve) => {
      const check = (): void => {
        const line = this.lines.find((each) => each.msg === message && matches(each));
        if (line !== undefined) resolve(line);
      };
      this.#waiting.add(check);
      check();
    });
    const end = this.ended.then(({ stderr }) => Promise.reject(new Error(`it ended before "${message}":\n${stderr}`)));
    return Promise.race([found, end]);
  }

  stop(): Promise<Ended> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

/** Tests of the command on any server. */
export function managerCommandConformance(name: string, start: () => Promise<ManagerTarget>): void {
  describe(`slipway manager: ${name}`, () => {
    const scope = new Scope();
    const running = new Set<ManagerProcess>();
    let target: ManagerTarget;
    let folder = '';
    let script = '';
    let watcher: InformerFactory;

    beforeAll(async () => {
      target = await start();
      scope.defer(() => target.stop());
      folder = await mkdtemp(join(tmpdir(), 'slipway-manager-'));
      scope.defer(() => rm(folder, { recursive: true, force: true }));
      await writeFile(join(folder, 'admin.conf'), target.kubeconfig);
      script = join(import.meta.dirname, `.manager-process-${process.pid}.mjs`);
      scope.defer(() => rm(script, { force: true }));
      await bundleScript(join(import.meta.dirname, 'support/manager-process.ts'), script);
      const { client } = target;
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      watcher = scope.add(new InformerFactory({ client, clock: systemClock, random: systemRandom }));
    });
    afterAll(() => scope.dispose());
    afterEach(() => {
      for (const { child } of running) child.kill('SIGKILL');
      running.clear();
    });

    const run = (...args: readonly string[]): ManagerProcess => {
      const process = new ManagerProcess(script, args);
      running.add(process);
      return process;
    };
    const admin = (): string => `--kubeconfig=${join(folder, 'admin.conf')}`;
    const greeted = (object: string, text: string): Promise<unknown> =>
      watcher
        .informer(configMaps, { namespace })
        .waitFor((view) => view.get({ namespace, name: object })?.data?.['text'] === text, {
          signal: AbortSignal.timeout(timeoutMs),
        });

    it('reports resources that the server does not serve, with a remedy', async () => {
      const { code, stderr } = await run(admin(), ...quiet).ended;
      expect(stderr).toContain('slipway: the server does not serve Greeting (samples.slipway.dev/v1)\n  → ');
      expect(stderr).toContain('--install-crds');
      expect(code).toBe(1);
    });

    it('installs its CRDs, runs its controllers, reports its health and stops on a signal', async () => {
      const addresses = ['--diagnostics-address=127.0.0.1:0', '--insecure-diagnostics', '--health-addr=127.0.0.1:0'];
      const manager = run(
        admin(),
        ...addresses,
        '--log-format=json',
        '--install-crds=true',
        '--greeting-concurrency=3',
        '-v=4',
      );
      const started = await manager.waitForLog('Manager started');
      expect(started).toMatchObject({ controllers: { greeting: 3 }, level: 'info' });
      await target.client.create(greetings, greeting('first', 'Ada'));
      await greeted('first', 'Hello, Ada!');
      const ports = started['ports'] as { readonly health: number; readonly metrics: number };
      expect(await (await fetch(`http://127.0.0.1:${ports.health}/readyz`)).text()).toBe('ok');
      const metrics = await (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text();
      expect(metrics).toContain('controller_runtime_max_concurrent_reconciles{controller="greeting"} 3');
      expect(manager.lines).toContainEqual(
        expect.objectContaining({ controller: 'greeting', Greeting: { namespace, name: 'first' } }),
      );
      expect(await manager.stop()).toMatchObject({ code: 0 });
      expect(manager.lines.at(-1)?.msg).toBe('Stopped');
    });

    it('logs the changes of a dry run, lists them on /debug/changes and stores nothing', async () => {
      const addresses = ['--diagnostics-address=127.0.0.1:0', '--insecure-diagnostics', '--health-addr=0'];
      const manager = run(admin(), ...addresses, '--log-format=json', '--dry-run');
      const started = await manager.waitForLog('Manager started');
      expect(started).toMatchObject({ dryRun: true });
      await target.client.create(greetings, greeting('tried', 'Grace'));
      const logged = await manager.waitForLog('Created object', ({ ConfigMap }) => isDeepStrictEqual(ConfigMap, tried));
      expect(logged).toMatchObject({ controller: 'greeting', dryRun: true, level: 'info' });
      const { metrics } = started['ports'] as { readonly metrics: number };
      const listed = await (await fetch(`http://127.0.0.1:${metrics}/debug/changes`)).json();
      expect(listed).toMatchObject({
        changes: expect.arrayContaining([
          expect.objectContaining({ controller: 'greeting', verb: 'create', reason: 'Created', dryRun: true }),
        ]),
      });
      expect(await manager.stop()).toMatchObject({ code: 0 });
      const { items } = await target.client.list(configMaps, { namespace });
      expect(items.map(({ metadata }) => metadata.name)).not.toContain('tried');
    });

    it('reconciles only objects with the watch filter label', async () => {
      const manager = run(admin(), ...quiet, '--watch-filter=mine', `--namespace=${namespace}`);
      await manager.waitForLog('Manager started');
      const { client } = target;
      await client.create(greetings, greeting('theirs', 'Eve'));
      await client.create(greetings, greeting('mine', 'Bob', { 'cluster.x-k8s.io/watch-filter': 'mine' }));
      await greeted('mine', 'Hello, Bob!');
      const { items } = await client.list(configMaps, { namespace });
      expect(items.map(({ metadata }) => metadata.name)).not.toContain('theirs');
      expect(await manager.stop()).toMatchObject({ code: 0 });
    });

    it('authorizes requests for diagnostics with the API server', async () => {
      const manager = run(admin(), '--diagnostics-address=127.0.0.1:0', '--health-addr=0', '--log-format=json');
      const { ports } = (await manager.waitForLog('Manager started')) as unknown as { ports: { metrics: number } };
      const { request } = await import('node:https');
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const options = { rejectUnauthorized: false, agent: false };
        request(`https://127.0.0.1:${ports.metrics}/metrics`, options, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
      expect(status).toBe(401);
      await manager.stop();
    });

    it('shares the work of a controller between shards', async () => {
      const args = [admin(), ...quiet, '--shards=4', `--leader-election-namespace=${namespace}`, ...quick.slice(1)];
      const managers = [run(...args), run(...args)];
      await Promise.all(managers.map((manager) => manager.waitForLog('Manager started')));
      const held = watcher.informer(leases, { namespace });
      await held.waitFor(
        (view) => {
          const shards = view.list().filter(({ metadata }) => metadata.name?.startsWith('slipway-manager-shard-'));
          const holders = shards.map(({ spec }) => spec?.holderIdentity ?? '');
          return shards.length === 4 && !holders.includes('') && new Set(holders).size === 2;
        },
        { signal: AbortSignal.timeout(timeoutMs) },
      );
      for (const name of ['a', 'b', 'c', 'd']) await target.client.create(greetings, greeting(`shard-${name}`, name));
      for (const name of ['a', 'b', 'c', 'd']) await greeted(`shard-${name}`, `Hello, ${name}!`);
      expect(await Promise.all(managers.map((manager) => manager.stop()))).toMatchObject([{ code: 0 }, { code: 0 }]);
    });

    it('exits with a distinct exit code when it loses the lease', async () => {
      const manager = run(admin(), ...quiet, ...quick, `--leader-election-namespace=${namespace}`);
      await manager.waitForLog('Controllers started');
      const spec = { holderIdentity: 'usurper', renewTime: formatMicroTime(Date.now()) };
      const key = { namespace, name: 'slipway-manager' };
      await target.client.patch(leases, key, { type: 'merge', patch: { spec } });
      const { code, stderr } = await manager.ended;
      expect(stderr).toContain('slipway: leadership lost: the lease slipway-manager was not renewed in time');
      expect(code).toBe(5);
    });

    it('reports the missing verb, resource and user', async () => {
      const config = parse(target.kubeconfig) as { users: { user: Record<string, unknown> }[] };
      for (const { user } of config.users) user['as'] = 'unprivileged';
      const file = join(folder, 'nobody.conf');
      await writeFile(file, JSON.stringify(config));
      const { code, stderr } = await run(`--kubeconfig=${file}`, ...quiet, ...quick).ended;
      expect(stderr).toContain('the user "unprivileged" cannot list greetings.samples.slipway.dev in all namespaces');
      expect(stderr).toContain('cannot create leases.coordination.k8s.io in the namespace default');
      expect(code).toBe(1);
    });
  });
}
