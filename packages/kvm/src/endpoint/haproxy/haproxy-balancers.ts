import { createHash } from 'node:crypto';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Clock, CommandError, identify, readIfPresent, runCommand, sleep } from '@slipway/base';
import { serverWeight } from '@slipway/cluster-api';
import { ReconcileError } from '@slipway/runtime';
import { backendName, type BalancerSpec, configurationDigest, haproxyConfiguration } from './haproxy-configuration.js';

type HaproxyReason = 'HAProxyMissing' | 'EndpointPortTaken' | 'HAProxyFailed';

/** The load balancer of a cluster could not be started or configured. */
export class HaproxyError extends ReconcileError<HaproxyReason> {
  constructor(reason: HaproxyReason, message: string) {
    super(reason, message, { retry: 'later' });
  }
}

export interface HaproxyBalancersOptions {
  /**
   * Directory of the balancers. Its path must be short: socket paths are limited to 107 bytes, and HAProxy appends ten more while
   * it starts.
   */
  readonly directory: string;
  readonly clock: Clock;
}

const socketPathMax = 96;
const settleTimeoutMs = 10_000;
const pollMs = 25;

/**
 * Runs one HAProxy process for each cluster whose endpoint is on this host. The processes outlive Slipway: the desired state is
 * compared with what the running process reports, not with state in memory.
 */
export class HaproxyBalancers {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor({ directory, clock }: HaproxyBalancersOptions) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Whether the running process has the desired configuration and weights. */
  async isCurrent(spec: BalancerSpec): Promise<boolean> {
    const { master, stats } = this.#paths(spec.id);
    if ((await loadedDigest(stats)) !== configurationDigest(spec) || !(await isRunning(master))) return false;
    const weights = await weightsOf(stats);
    return spec.servers.every((server) => weights.get(server.name) === serverWeight(server));
  }

  /**
   * Returns whether the directory of the balancer exists. It is created before the process starts and deleted after the process
   * ends.
   */
  async has(id: string): Promise<boolean> {
    const { directory } = this.#paths(id);
    return access(directory).then(
      () => true,
      () => false,
    );
  }

  /** Starts or reloads HAProxy unless it is up to date. A reload refuses no connections. */
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

  /** Returns the port of a running balancer. */
  async boundPort(id: string): Promise<number | undefined> {
    if (!(await isRunning(this.#paths(id).master))) return undefined;
    const port = /^ {2}bind \S+:(\d+)$/m.exec((await readIfPresent(this.#paths(id).configuration)) ?? '')?.[1];
    return port === undefined ? undefined : Number(port);
  }

  /** Returns the health of each server as HAProxy reports it, or undefined if HAProxy does not run. */
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

  /** Ends the HAProxy process and deletes its files. */
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
        `path ${directory} is too long for a Unix socket; choose a shorter run directory`,
      );
    return paths;
  }

  async #end(paths: BalancerPaths): Promise<void> {
    const deadline = this.#clock.monotonic() + settleTimeoutMs;
    const recorded = await recordedMaster(paths);
    for (let left = [...(await processesOf(paths.master)), ...recorded]; left.length > 0; left = await alive(left)) {
      for (const pid of left) signal(pid, this.#clock.monotonic() > deadline ? 'SIGKILL' : 'SIGTERM');
      // The HAProxy processes are not child processes, so their end must be polled.
      await sleep(this.#clock, pollMs);
    }
  }

  /** Starts HAProxy and returns once it listens: HAProxy detaches only after that. Throws the error of HAProxy. */
  async #start(paths: BalancerPaths): Promise<void> {
    // Stop an HAProxy process that runs but does not listen.
    await this.#end(paths);
    // Delete the sockets of a killed process: HAProxy would bind its new sockets beside them, and the stale paths would remain.
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
          `HAProxy did not load its new configuration ${paths.configuration} for ${spec.bind.host}:${spec.bind.port}`,
        );
      // Versions before 2.7 respond to a reload before it is complete.
      await sleep(this.#clock, pollMs);
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

/** Replaces the configuration only after HAProxy has validated the new one. */
async function writeChecked({ directory, configuration }: BalancerPaths, text: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readIfPresent(configuration)) === text) return;
  const next = `${configuration}.new`;
  await writeFile(next, text, { mode: 0o600 });
  await haproxy(['-c', '-f', next]);
  await rename(next, configuration);
}

/**
 * Sets the weights of the servers at run time, without a reload: a reload would leave open connections in an old process that no
 * longer checks servers.
 */
async function weigh({ servers }: BalancerSpec, statsSocket: string): Promise<void> {
  const lines = servers.map((server) => `set server ${backendName}/${server.name} weight ${serverWeight(server)}`);
  if (lines.length > 0) await askHaproxy(statsSocket, lines.join('; '));
}

/** Returns the configured weight of each server, independent of its health. */
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

/** Returns process IDs: the master, its worker, and workers that still serve connections from before a reload. */
async function processesOf(masterSocket: string): Promise<number[]> {
  const text = (await askHaproxy(masterSocket, 'show proc')) ?? '';
  return [...text.matchAll(/^(\d+)\s+(?:master|worker)\b/gm)].map(([, pid]) => Number(pid));
}

/**
 * Returns the PID in the master's pid file, if that process was started with this pid file. PIDs are reused after a process ends.
 */
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
    return new HaproxyError('HAProxyMissing', 'haproxy is not installed on this host; install the haproxy package');
  const alerts = error.output.split('\n').filter((line) => line.startsWith('[ALERT]'));
  const alertText = alerts.join('; ').replaceAll(/\[ALERT\]\s+\(\d+\) : /g, '') || error.message;
  return /cannot bind socket/i.test(alertText)
    ? new HaproxyError(
        'EndpointPortTaken',
        `${alertText}; choose another port for the endpoint, or stop the process that listens on it`,
      )
    : new HaproxyError('HAProxyFailed', alertText);
}

const answerTimeoutMs = 5_000;

/** Sends one line to HAProxy and returns its response. Undefined if no process listens on the socket. */
function askHaproxy(socketPath: string, line: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: socketPath });
    let text = '';
    let isConnected = false;
    socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error(`HAProxy did not respond to "${line}"`)));
    socket.once('connect', () => {
      isConnected = true;
      socket.end(`${line}\n`);
    });
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A reload can reset the connection before the response is complete, so the caller checks the result instead.
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else if (isConnected && error.code !== undefined) resolve(text);
      else reject(error);
    });
    socket.once('close', () => resolve(text));
  });
}
