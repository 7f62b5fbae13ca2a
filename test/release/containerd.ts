import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { peerBinary } from '../support/peer-process.js';
import { type CommandResult, runCommand } from '../support/run-command.js';

/** Snapshotters and differs that need programs or kernel modules which hosts rarely have. */
const unusedPlugins = [
  ...['blockfile', 'btrfs', 'devmapper', 'erofs', 'zfs'].map((name) => `snapshotter.v1.${name}`),
  'differ.v1.erofs',
  'grpc.v1.cri',
];
const startTimeoutMs = 60_000;

/** A separate containerd, with its data in a temporary directory. Its containers have no network but loopback. */
export class Containerd {
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(folder: string) {
    this.#folder = folder;
    const programs = dirname(peerBinary('runc'));
    this.#env = { PATH: `${programs}:${process.env['PATH'] ?? ''}` };
    const options = { stdio: 'ignore', env: { ...process.env, ...this.#env } } as const;
    this.#process = spawn(peerBinary('containerd'), ['--config', join(folder, 'config.toml')], options);
  }

  static async start(): Promise<Containerd> {
    // A short path: containerd puts sockets below it.
    const folder = mkdtempSync(join(tmpdir(), 'ctd-'));
    mkdirSync(join(folder, 'state'));
    const disabled = unusedPlugins.map((name) => `"io.containerd.${name}"`).join(', ');
    writeFileSync(
      join(folder, 'config.toml'),
      `version = 3\ndisabled_plugins = [${disabled}]\nroot = "${folder}/root"\nstate = "${folder}/state"\n\n` +
        `[grpc]\naddress = "${folder}/c.sock"\n`,
    );
    const containerd = new Containerd(folder);
    const deadline = Date.now() + startTimeoutMs;
    while (!existsSync(join(folder, 'c.sock')) || (await containerd.ctr('version')).code !== 0) {
      if (Date.now() > deadline) throw new Error('containerd does not answer');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return containerd;
  }

  ctr(...args: readonly string[]): Promise<CommandResult> {
    return runCommand(peerBinary('ctr'), this.#arguments(...args), { env: this.#env });
  }

  #arguments(...args: readonly string[]): string[] {
    return ['--address', join(this.#folder, 'c.sock'), ...args];
  }

  /** Imports an archive and returns the reference of its image. */
  async importImage(archive: string): Promise<string> {
    const { code, stdout, stderr } = await this.ctr('images', 'import', '--local', archive);
    const reference = /^unpacking (\S+)/m.exec(stdout)?.[1];
    if (code !== 0 || reference === undefined) throw new Error(`importing ${archive} failed: ${stderr}${stdout}`);
    return reference;
  }

  /** Runs a command line in a new container until it exits. */
  run(image: string, command: readonly string[], ...options: readonly string[]): Promise<CommandResult> {
    return this.ctr('run', '--rm', ...options, image, newName(), ...command);
  }

  runWithInput(image: string, command: readonly string[], input: string): Promise<CommandResult> {
    return runCommand(peerBinary('ctr'), this.#arguments('run', '--rm', image, newName(), ...command), {
      env: this.#env,
      input,
    });
  }

  /** Runs a command line in a container that runs. */
  exec(name: string, command: readonly string[]): Promise<CommandResult> {
    return this.ctr('tasks', 'exec', '--exec-id', newName(), name, ...command);
  }

  /** Starts a command line in a new container. */
  start(image: string, command: readonly string[]): RunningContainer {
    const name = newName();
    const args = this.#arguments('run', '--rm', image, name, ...command);
    const child = spawn(peerBinary('ctr'), args, {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(child, 'close').then(([code]) => code as number | null);
    let output = '';
    child.stdout.setEncoding('utf8');
    const waitForOutput = (text: string): Promise<void> =>
      new Promise((resolve, reject) => {
        child.stdout.on('data', (chunk: string) => {
          output += chunk;
          if (output.includes(text)) resolve();
        });
        void exited.then((code) => reject(new Error(`the container exited with ${code}: ${output}`)));
      });
    return { name, exited, waitForOutput };
  }

  async stop(): Promise<void> {
    for (const name of (await this.ctr('tasks', 'ls', '--quiet')).stdout.split('\n').filter((line) => line !== ''))
      await this.ctr('tasks', 'delete', '--force', name);
    this.#process.kill('SIGTERM');
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface RunningContainer {
  readonly name: string;
  readonly exited: Promise<number | null>;
  waitForOutput(text: string): Promise<void>;
}

let containers = 0;
function newName(): string {
  containers += 1;
  return `test-${process.pid}-${containers}`;
}
