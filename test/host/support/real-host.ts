import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@slipway/base';
import { LinuxEngine } from '@slipway/host';
import { peerBinary, type PeerProcess, startPeer } from '../../support/peer-process.js';
import { type CommandResult, runCommand } from '../../support/run-command.js';
import { realNodes } from '../../../scripts/documented-commands/real-nodes.js';
import { installedPrograms } from '../../../packages/cli/test/support/installed.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const namespace = 'default';

/**
 * A management plane with machines in separate network and mount namespaces, so that nothing that a test does or leaves behind
 * affects the network of this host.
 */
export class RealHost {
  /** The home directory: empty except for the files of a checkout that the page names. */
  readonly #home = mkdtempSync(join(tmpdir(), 'slipway-host-'));
  readonly directory = join(this.#home, '.local/share/slipway');
  readonly #holder: PeerProcess;
  /** Cgroups left by an earlier run that was killed. */
  readonly #foreignGroups = new Set(cgroupsOfMachines());
  readonly #environment: NodeJS.ProcessEnv;
  #plane: PeerProcess | undefined;

  private constructor(holder: PeerProcess) {
    this.#holder = holder;
    const programs = join(this.#home, '.programs');
    mkdirSync(programs);
    symlinkSync(peerBinary('kubectl'), join(programs, 'kubectl'));
    for (const name of ['.peers', 'docs']) symlinkSync(join(repository, name), join(this.#home, name));
    this.#environment = {
      HOME: this.#home,
      PATH: `${installedPrograms}:${programs}:${process.env['PATH'] ?? ''}`,
      KUBECONFIG: undefined,
      XDG_DATA_HOME: undefined,
    };
  }

  static async start(versions: readonly string[]): Promise<RealHost> {
    const commandLine = ['--net', '--mount', 'sh', '-c', 'ip link set lo up && echo ready && exec sleep infinity'];
    const holder = startPeer('unshare', commandLine);
    await until('the namespaces of the test', () => holder.log().includes('ready'));
    const host = new RealHost(holder);
    for (const version of versions) await host.#prepare(version);
    await host.startSlipway();
    return host;
  }

  async #prepare(version: string): Promise<void> {
    await this.shell(realNodes.prepare.replace('v1.36.3', version));
  }

  get slipwayPid(): number {
    return this.#plane?.pid ?? 0;
  }

  /** Runs a command of the page in the checkout, with the kubeconfig of the management plane or another one. */
  async shell(command: string, kubeconfig: string = realNodes.kubeconfig): Promise<string> {
    const result = await runCommand('nsenter', this.#reader(`${kubeconfig}; ${command}`), { env: this.#environment });
    return mustSucceed(result, () => `${command}\n${this.log().slice(-4_000)}`).stdout.trim();
  }

  async startSlipway(): Promise<void> {
    const plane = startPeer('nsenter', this.#reader(`exec ${realNodes.up}`), this.#environment);
    this.#plane = plane;
    await until('slipway up', () => {
      if (plane.exited) throw new Error(`slipway up ended:\n${plane.log()}`);
      return /Stop +Ctrl-C/.test(plane.log());
    });
  }

  /** Kills the process without any cleanup, as in a power failure. */
  async killSlipway(): Promise<void> {
    await this.#plane?.stop('SIGKILL');
  }

  /** Returns the last output, for failure messages. */
  log(): string {
    return this.#plane?.log() ?? '';
  }

  /** Runs a program in the namespaces of the management plane. */
  run(program: string, args: readonly string[], input?: string): Promise<CommandResult> {
    return runCommand('nsenter', this.#inside(program, args), input === undefined ? {} : { input });
  }

  /** Runs stock kubectl on the management plane. */
  async kubectl(...args: readonly string[]): Promise<string> {
    return this.#kubectl(join(this.directory, 'admin.conf'), args);
  }

  async patch(object: string, change: object): Promise<void> {
    await this.kubectl('patch', object, '--type=merge', '-p', JSON.stringify(change));
  }

  async apply(manifest: string): Promise<void> {
    const flags = ['--kubeconfig', join(this.directory, 'admin.conf'), 'apply', '-f', '-'];
    mustSucceed(await this.run(peerBinary('kubectl'), flags, manifest));
  }

  /** Runs stock kubectl on a workload cluster, with the kubeconfig that Cluster API stores. */
  async workload(cluster: string, ...args: readonly string[]): Promise<string> {
    const path = join(this.directory, `${cluster}.conf`);
    const value = await this.kubectl('get', 'secret', `${cluster}-kubeconfig`, '-o', 'jsonpath={.data.value}');
    writeFileSync(path, Buffer.from(value, 'base64'), { mode: 0o600 });
    return this.#kubectl(path, args);
  }

  async applyToWorkload(cluster: string, manifest: string, ...flags: readonly string[]): Promise<void> {
    const path = join(this.directory, 'workload-manifest.yaml');
    writeFileSync(path, manifest);
    await this.workload(cluster, 'apply', '-f', path, ...flags);
  }

  /** Runs a program in a machine. */
  async runInMachine(hostMachine: string, program: string, ...args: readonly string[]): Promise<string> {
    const pid = firstChildOf(await this.machinePid(hostMachine));
    const { stdout } = mustSucceed(await runCommand('nsenter', ['-t', String(pid), '-a', program, ...args]));
    return stdout;
  }

  /** Returns the PID of the init process of a machine on this host. */
  async machinePid(hostMachine: string): Promise<number> {
    const uid = await this.kubectl('get', 'hostmachine', hostMachine, '-o', 'jsonpath={.metadata.uid}');
    return Number(readFileSync(join(this.directory, 'host/machines', uid, 'process'), 'utf8').split(' ')[0]);
  }

  /** Returns everything that is left of machines and networks. */
  async leftovers(): Promise<string[]> {
    const folders = ['machines', 'networks'].flatMap((name) => list(join(this.directory, 'host', name)));
    const links = (await this.run('ip', ['-brief', 'link'])).stdout
      .split('\n')
      .filter((line) => line.startsWith('slw'));
    const mounts = readFileSync(`/proc/${this.#holder.pid}/mountinfo`, 'utf8');
    return [
      ...folders,
      ...links,
      ...mounts.split('\n').filter((line) => line.includes(this.directory)),
      ...processesOf(this.directory, this.slipwayPid),
      ...cgroupsOfMachines().filter((name) => !this.#foreignGroups.has(name)),
    ];
  }

  /** Returns the state of this host that machines must not change: kernel settings, host name, interfaces and mounts. */
  hostState(): Record<string, string> {
    const facts = Object.fromEntries(
      kernelSettings.map((name) => [name, readFileSync(`/proc/sys/${name}`, 'utf8').trim()]),
    );
    const links = readdirSync('/sys/class/net').filter((name) => name.startsWith('slw'));
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return {
      ...facts,
      links: links.join(' '),
      mounts: mounts.filter((line) => line.includes(this.directory)).join('\n'),
    };
  }

  /** Stops everything, even after a failure. */
  async dispose(): Promise<void> {
    await this.#plane?.stop('SIGKILL');
    const engine = new LinuxEngine({
      directory: join(this.directory, 'host'),
      balancerCommand: [],
      clock: systemClock,
    });
    for (const id of list(join(this.directory, 'host/machines'))) await engine.removeMachine(id);
    for (const id of list(join(this.directory, 'host/networks'))) await engine.removeNetwork(id);
    await this.#holder.stop('SIGKILL');
    rmSync(this.#home, { recursive: true, force: true });
  }

  async #kubectl(kubeconfig: string, args: readonly string[]): Promise<string> {
    const result = await this.run(peerBinary('kubectl'), ['--kubeconfig', kubeconfig, '-n', namespace, ...args]);
    return mustSucceed(result, () => `${args.join(' ')}\n${this.log().slice(-4_000)}`).stdout.trim();
  }

  #reader(commands: string): string[] {
    return this.#inside('bash', ['-o', 'pipefail', '-c', `cd "$HOME"; ${commands}`]);
  }

  #inside(program: string, args: readonly string[]): string[] {
    return ['-t', String(this.#holder.pid), '--net', '--mount', program, ...args];
  }
}

function mustSucceed(result: CommandResult, context: () => string = () => ''): CommandResult {
  if (result.code !== 0) throw new Error(`${result.stderr}\n${result.stdout}\n${context()}`);
  return result;
}

function firstChildOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the processes other than Slipway whose command line contains a directory of the test. */
function processesOf(directory: string, slipway: number): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (commandLine.includes(directory) && Number(pid) !== slipway) found.push(`process ${pid}: ${commandLine}`);
    } catch {
      // The process exited after it was listed.
    }
  }
  return found;
}

/** Returns the cgroups of the test, and those of processes in machines. */
function cgroupsOfMachines(): string[] {
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  const path = /^\d+:memory:(.*)$/m.exec(own)?.[1] ?? '';
  return [join('/sys/fs/cgroup/memory', path, 'slipway'), '/sys/fs/cgroup/slipway'].flatMap((folder) =>
    list(folder).filter((name) => /^[0-9a-f]{8}-/.test(name)),
  );
}

const kernelSettings = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/hostname',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
  'net/ipv4/ip_forward',
];

const timeoutMs = 180_000;

/** Polls for states that `kubectl wait` does not support, such as an object with an unknown name. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${what} was not so within ${timeoutMs / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
