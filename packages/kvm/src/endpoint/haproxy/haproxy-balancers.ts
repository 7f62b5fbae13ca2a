import { createHash } from 'node:crypto';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Clock, CommandError, identify, readIfPresent, runCommand, sleep } from '@slipway/base';
import { serverWeight } from '@slipway/cluster-api';
import { ReconcileError } from '@slipway/runtime';
import { backendName, type BalancerSpec, configurationDigest, haproxyConfiguration } from './haproxy-configuration.js';

type HaproxyReason = 'HAProxyMissing' | 'EndpointPortTaken' | 'HAProxyFailed';

/** The balancer of a cluster does not run as it should. */
export class HaproxyError extends ReconcileError<HaproxyReason> {
  constructor(reason: HaproxyReason, message: string) {
    super(reason, message, { retry: 'later' });
  }
}

export interface HaproxyBalancersOptions {
  /** Short on purpose: the paths of sockets have 107 bytes, and HAProxy takes ten more while it starts. */
  readonly directory: string;
  readonly clock: Clock;
}

const socketPathMax = 96;
const settleTimeoutMs = 10_000;
const lookAgainMs = 25;

/**
 * One HAProxy for each cluster whose endpoint is on this computer. They outlive Slipway: what is wanted is compared with
 * what the running process says of itself, never with what this one remembers.
 */
export class HaproxyBalancers {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor({ directory, clock }: HaproxyBalancersOptions) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** True when the running process has the wanted configuration and weights. */
  async isCurrent(spec: BalancerSpec): Promise<boolean> {
    const { master, stats } = this.#paths(spec.id);
    if ((await loadedDigest(stats)) !== configurationDigest(spec) || !(await isRunning(master))) return false;
    const weights = await weightsOf(stats);
    return spec.servers.every((server) => weights.get(server.name) === serverWeight(server));
  }

  /** True while anything of it is left. */
  async has(id: string): Promise<boolean> {
    const { directory } = this.#paths(id);
    return access(directory).then(
      () => true,
      () => false,
    );
  }

  /** Started, or reloaded without refusing a single connection, or left alone. */
  async ensure(spec: BalancerSpec): Promise<void> {
    const paths = this.#paths(spec.id);
    const digest = configurationDigest(spec);
    const loaded = await loadedDigest(paths.stats);
    if (loaded === undefined || loaded !== digest) {
      await writeChecked(paths, haproxyConfiguration(spec, paths.stats));
      if (!(await isRunning(paths.master))) await this.#start(paths);
      else await askHaproxy(paths.master, 'reload');
      await this.#settle(spec, paths, digest);
    }
    await weigh(spec, paths.stats);
  }

  /** The port of one that runs. */
  async boundPort(id: string): Promise<number | undefined> {
    if (!(await isRunning(this.#paths(id).master))) return undefined;
    const port = /^ {2}bind \S+:(\d+)$/m.exec((await readIfPresent(this.#paths(id).configuration)) ?? '')?.[1];
    return port === undefined ? undefined : Number(port);
  }

  /** Which servers answer, as the balancer sees it. Undefined when it does not run. */
  async health(id: string): Promise<Readonly<Record<string, boolean>> | undefined> {
    const text = await askHaproxy(this.#paths(id).stats, 'show stat');
    if (text === undefined) return undefined;
    const [header = '', ...rows] = text.replace(/^# /, '').trim().split('\n');
    const columns = header.split(',');
    const [proxy, server, status] = ['pxname', 'svname', 'status'].map((name) => columns.indexOf(name)) as [
      number,
      number,
      number,
    ];
    const cells = rows.map((row) => row.split(','));
    const servers = cells.filter((cell) => cell[proxy] === backendName && cell[server] !== 'BACKEND');
    return Object.fromEntries(servers.map((cell) => [cell[server] ?? '', /^(UP|DRAIN)/.test(cell[status] ?? '')]));
  }

  /** Ends it, and leaves nothing of it. */
  async remove(id: string): Promise<void> {
    const paths = this.#paths(id);
    await this.#end(paths);
    await rm(paths.directory, { recursive: true, force: true });
  }

  #paths(id: string): BalancerPaths {
    const directory = join(this.#directory, createHash('sha256').update(id).digest('hex').slice(0, 12));
    const paths = {
      directory,
      configuration: join(directory, 'haproxy.cfg'),
      master: join(directory, 'm.sock'),
      stats: join(directory, 's.sock'),
      pid: join(directory, 'haproxy.pid'),
    };
    if (paths.master.length > socketPathMax)
      throw new HaproxyError(
        'HAProxyFailed',
        `${directory} is too long a path for a socket; choose a shorter run folder`,
      );
    return paths;
  }

  async #end(paths: BalancerPaths): Promise<void> {
    const deadline = this.#clock.monotonic() + settleTimeoutMs;
    const recorded = await recordedMaster(paths);
    for (let left = [...(await processesOf(paths.master)), ...recorded]; left.length > 0; left = await alive(left)) {
      for (const pid of left) signal(pid, this.#clock.monotonic() > deadline ? 'SIGKILL' : 'SIGTERM');
      // They are not our children: nobody tells us when they have ended.
      await sleep(this.#clock, lookAgainMs);
    }
  }

  /** Returns when it listens, or says why it cannot: in the background it goes only then. */
  async #start(paths: BalancerPaths): Promise<void> {
    // One that runs but listens to nobody.
    await this.#end(paths);
    // Sockets of one that was killed: HAProxy would put its own beside them and, of the two, leave us the wrong one.
    for (const path of [paths.pid, paths.master, paths.stats]) await rm(path, { force: true });
    const master = `${paths.master},mode,600`;
    await haproxy(['-W', '-D', '-p', paths.pid, '-S', master, '-f', paths.configuration]);
  }

  async #settle(spec: BalancerSpec, paths: BalancerPaths, digest: string): Promise<void> {
    const deadline = this.#clock.monotonic() + settleTimeoutMs;
    while ((await loadedDigest(paths.stats)) !== digest || !(await isRunning(paths.master))) {
      if (this.#clock.monotonic() > deadline)
        throw new HaproxyError(
          'HAProxyFailed',
          `HAProxy did not take over its new configuration ${paths.configuration} for ${spec.bind.host}:${spec.bind.port}`,
        );
      // Versions before 2.7 answer a reload before it is done.
      await sleep(this.#clock, lookAgainMs);
    }
  }
}

interface BalancerPaths {
  readonly directory: string;
  readonly configuration: string;
  readonly master: string;
  readonly stats: string;
  readonly pid: string;
}

/** Only a text that HAProxy understands takes the place of the one that works. */
async function writeChecked({ directory, configuration }: BalancerPaths, text: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readIfPresent(configuration)) === text) return;
  const next = `${configuration}.new`;
  await writeFile(next, text, { mode: 0o600 });
  await haproxy(['-c', '-f', next]);
  await rename(next, configuration);
}

/** Told to the process that runs: a reload would leave open connections behind in one that looks after nothing any more. */
async function weigh({ servers }: BalancerSpec, statsSocket: string): Promise<void> {
  const lines = servers.map((server) => `set server ${backendName}/${server.name} weight ${serverWeight(server)}`);
  if (lines.length > 0) await askHaproxy(statsSocket, lines.join('; '));
}

/** The weights that were set, whatever the health of the servers makes of them. */
async function weightsOf(statsSocket: string): Promise<ReadonlyMap<string, number>> {
  const text = (await askHaproxy(statsSocket, `show servers state ${backendName}`)) ?? '';
  const [header = '', ...rows] = text.split('\n').slice(1);
  const columns = header.replace(/^# /, '').split(' ');
  const [name, weight] = [columns.indexOf('srv_name'), columns.indexOf('srv_uweight')];
  const cells = rows.map((row) => row.split(' ')).filter((row) => row.length > 1);
  return new Map(cells.map((row) => [row[name] ?? '', Number(row[weight])]));
}

async function loadedDigest(statsSocket: string): Promise<string | undefined> {
  return /^description: (\w+)$/m.exec((await askHaproxy(statsSocket, 'show info')) ?? '')?.[1];
}

async function isRunning(masterSocket: string): Promise<boolean> {
  return (await processesOf(masterSocket)).length > 0;
}

/** The master, which comes first, its worker, and workers that still have connections from before a reload. */
async function processesOf(masterSocket: string): Promise<number[]> {
  const text = (await askHaproxy(masterSocket, 'show proc')) ?? '';
  return [...text.matchAll(/^(\d+)\s+(?:master|worker)\b/gm)].map(([, pid]) => Number(pid));
}

/** The master by its own word, if that process is still the one that wrote it. */
async function recordedMaster({ pid: path }: BalancerPaths): Promise<number[]> {
  const pid = ((await readIfPresent(path)) ?? '').trim();
  if (!/^\d+$/.test(pid)) return [];
  const command = await readIfPresent(`/proc/${pid}/cmdline`);
  return command?.split('\0').includes(path) === true ? [Number(pid)] : [];
}

async function alive(pids: readonly number[]): Promise<number[]> {
  const identities = await Promise.all(pids.map(identify));
  return pids.filter((_pid, index) => identities[index] !== undefined);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const startTimeoutMs = 20_000;

async function haproxy(args: readonly string[]): Promise<void> {
  await runCommand('haproxy', args, { timeoutMs: startTimeoutMs }).catch((error: unknown) => {
    throw explain(error);
  });
}

function explain(error: unknown): HaproxyError {
  if (!(error instanceof CommandError)) return new HaproxyError('HAProxyFailed', String(error));
  if (error.code === 'ENOENT')
    return new HaproxyError('HAProxyMissing', 'haproxy is not installed on this computer; install the package haproxy');
  const alerts = error.output.split('\n').filter((line) => line.startsWith('[ALERT]'));
  const said = alerts.join('; ').replaceAll(/\[ALERT\]\s+\(\d+\) : /g, '') || error.message;
  return /cannot bind socket/i.test(said)
    ? new HaproxyError('EndpointPortTaken', `${said}; choose another port for the endpoint, or end what listens there`)
    : new HaproxyError('HAProxyFailed', said);
}

const answerTimeoutMs = 5_000;

/** Says one line to HAProxy and gives back what it says. Undefined when nobody listens there. */
function askHaproxy(socketPath: string, line: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: socketPath });
    let text = '';
    let isConnected = false;
    socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error(`HAProxy does not answer "${line}"`)));
    socket.once('connect', () => {
      isConnected = true;
      socket.end(`${line}\n`);
    });
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A process that reloads leaves the connection as it is: whoever asks looks at the result.
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else if (isConnected && error.code !== undefined) resolve(text);
      else reject(error);
    });
    socket.once('close', () => resolve(text));
  });
}
