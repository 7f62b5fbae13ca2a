import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Step } from '../../scripts/documented-commands/scenario.js';
import { installedPrograms } from '../../packages/cli/test/support/installed.js';
import { peerBinary, type PeerProcess, startPeer } from '../support/peer-process.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { openTerminal } from '../support/tmux.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
/** Host names in the documentation that resolve to this host inside the namespaces. Each may have a server on the same port. */
const hosts = `127.0.0.1 localhost
127.0.0.2 vc.example.com vcenter.example.com
127.0.0.3 registry.local registry.example
127.0.0.4 images.example.com example.com
`;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * A shell with an empty home directory, a separate network and the installed `slipway` on its PATH, so that documented commands
 * run exactly as they are written: with the default port, the default directories and the host names of the examples.
 */
export class Shell {
  readonly home = mkdtempSync(join(tmpdir(), 'slipway-documentation-'));
  readonly #holder: PeerProcess;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #background: PeerProcess[] = [];
  #terminals = 0;
  /** The variables that the commands have exported so far. */
  #exports = '';

  private constructor() {
    const programs = join(this.home, '.programs');
    mkdirSync(programs);
    for (const name of ['kubectl', 'clusterctl', 'vcsim']) symlinkSync(peerBinary(name), join(programs, name));
    writeFileSync(join(programs, 'kustomize'), '#!/bin/sh\nexec cat cluster.yaml\n', { mode: 0o755 });
    this.#environment = {
      HOME: this.home,
      DOCUMENTATION: join(repository, 'docs'),
      SIMULATE: `${join(repository, 'node_modules/.bin/tsx')} ${join(repository, 'test/documentation/simulate.ts')}`,
      PATH: `${installedPrograms}:${programs}:${process.env['PATH'] ?? ''}`,
      // clusterctl looks for a newer version of itself on the internet, and waits a minute for the response.
      CLUSTERCTL_DISABLE_VERSIONCHECK: 'true',
      KUBECONFIG: undefined,
      XDG_DATA_HOME: undefined,
      XDG_CONFIG_HOME: undefined,
    };
    const hostsFile = join(programs, 'hosts');
    writeFileSync(hostsFile, hosts);
    const setUp = `ip link set lo up && mount --bind '${hostsFile}' /etc/hosts && echo ready && exec sleep infinity`;
    this.#holder = startPeer('unshare', ['--net', '--mount', 'sh', '-c', setUp]);
  }

  static async open(): Promise<Shell> {
    const shell = new Shell();
    await shell.#holder.said(/ready/);
    return shell;
  }

  /** Starts a simulated server. Later commands trust its certificate. */
  async serve(name: string, what: string): Promise<void> {
    await this.start(`exec $SIMULATE ${what} ${name}`).said(/ready/);
    this.export('export NODE_EXTRA_CA_CERTS=~/trusted-cas.crt');
  }

  /** Runs commands in a tmux terminal, and types each answer once its question is on the screen. */
  async converse(commands: string, answers: NonNullable<Step['answers']>): Promise<CommandResult> {
    const variables = Object.entries(this.#environment).map(([name, value = '']) => `${name}=${value}`);
    const words = ['env', '-u', 'NO_COLOR', ...variables, 'nsenter', ...this.#inside(commands)];
    // Use a new name: the tmux server of the previous terminal may still be about to exit.
    const name = `documentation-${(this.#terminals += 1)}`;
    const terminal = openTerminal(name, 140, 60, words.map(quoted).join(' '));
    try {
      for (const [question, ...keys] of answers) {
        await terminal.until(question, (screen) => screen.includes(question));
        for (const key of keys) terminal.type(key);
      }
      return { code: await terminal.ended(), stdout: terminal.drawn(), stderr: '' };
    } finally {
      terminal.stop();
    }
  }

  /** Runs commands until they exit. `input` is typed in a terminal, once a second. */
  run(commands: string, input?: string): Promise<CommandResult> {
    const options = { env: this.#environment, cwd: this.home };
    if (input === undefined) return runCommand('nsenter', this.#inside(commands), options);
    // `script` gives the commands their own terminal.
    const recorded = `${commands}; code=$?; touch .ended; exit $code`;
    // Type the input every second: text that is typed before a question is discarded. `script` waits for the end of its input.
    const typing = `until [ -e .ended ]; do sleep 1; printf '%b' '${input}'; done`;
    return runCommand(
      'nsenter',
      this.#inside(`rm -f .ended; script -qec ${quoted(recorded)} /dev/null < <(${typing} 2>/dev/null)`),
      options,
    );
  }

  /** Keeps variables for later commands. */
  export(line: string): void {
    this.#exports += `${line}; `;
  }

  /** Starts a command that runs until Ctrl-C. */
  start(command: string): PeerProcess {
    const started = startPeer('nsenter', this.#inside(command), this.#environment);
    this.#background.push(started);
    return started;
  }

  async close(): Promise<void> {
    for (const process of this.#background.reverse()) await process.stop('SIGTERM');
    await this.#holder.stop('SIGKILL');
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  #inside(commands: string): string[] {
    return [...this.#namespaces(), 'bash', '-o', 'pipefail', '-c', `cd "$HOME"; ${this.#exports}${commands}`];
  }

  #namespaces(): string[] {
    return ['--target', String(this.#holder.pid), '--net', '--mount', '--'];
  }
}
