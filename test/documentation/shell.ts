import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedPrograms } from '../../packages/cli/test/support/installed.js';
import { peerBinary, type PeerProcess, startPeer } from '../support/peer-process.js';
import { type CommandResult, runCommand } from '../support/run-command.js';

/** Names of the documentation that resolve to this host inside the namespaces. */
const hosts = '127.0.0.1 localhost vc.example.com vcenter.example.com images.example.com registry.local example.com\n';

/**
 * A shell with an empty home, an own network and the installed `slipway` on its PATH, so that documented commands run exactly as
 * they are written: with the default port, the default directories and the host names of the examples.
 */
export class Shell {
  readonly home = mkdtempSync(join(tmpdir(), 'slipway-documentation-'));
  readonly #holder: PeerProcess;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #background: PeerProcess[] = [];
  /** What the reader has exported so far. */
  #exports = '';

  private constructor() {
    const programs = join(this.home, '.programs');
    mkdirSync(programs);
    for (const name of ['kubectl', 'clusterctl', 'vcsim']) symlinkSync(peerBinary(name), join(programs, name));
    writeFileSync(join(programs, 'kustomize'), '#!/bin/sh\nexec cat cluster.yaml\n', { mode: 0o755 });
    this.#environment = {
      HOME: this.home,
      DOCUMENTATION: fileURLToPath(new URL('../../docs', import.meta.url)),
      PATH: `${installedPrograms}:${programs}:${process.env['PATH'] ?? ''}`,
      // clusterctl looks for a newer version of itself on the internet, and waits a minute for the answer.
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

  /** Runs commands to their end. `input` is typed at a terminal, once a second. */
  run(commands: string, input?: string): Promise<CommandResult> {
    const options = { env: this.#environment, cwd: this.home };
    if (input === undefined) return runCommand('nsenter', this.#inside(commands), options);
    // `script` gives the commands a terminal of their own.
    const recorded = `${commands}; code=$?; touch .ended; exit $code`;
    const quoted = `'${recorded.replaceAll("'", `'\\''`)}'`;
    // Typed again every second: a question that is not asked yet does not take what was typed before. `script` waits for the end of
    // its input.
    const typing = `until [ -e .ended ]; do sleep 1; printf '%b' '${input}'; done`;
    return runCommand(
      'nsenter',
      this.#inside(`rm -f .ended; script -qec ${quoted} /dev/null < <(${typing} 2>/dev/null)`),
      options,
    );
  }

  /** Remembers variables for the commands that follow. */
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
