import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Scope } from '@slipway/base';
import { type PeerProcess, peerBinary, startPeer } from '../support/peer-process.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

/** Prefix from which the addresses of load balancers are derived. */
const addressPrefix = `10.${1 + (process.pid % 250)}`;

/** A shim that adds unique ports and addresses, and variables of some flavors that the page leaves to the reader. */
const slipwayShim = `#!/bin/sh
case "$1 $2" in
  "up "*) shift; set -- up --port 0 --feature-gates ClusterTopology=true,KubeadmBootstrapFormatIgnition=true "$@" --simulate vcenter,supervisor ;;
  "dev vcenter") set -- "$@" --listen 127.0.0.1:0 --addresses ${addressPrefix} ;;
esac
exec "${process.execPath}" "${installedSlipway}" "$@"
`;

/** A home directory with the programs of a guide on the path, isolated from the user who runs the tests. */
export class Terminal {
  readonly #scope = new Scope();
  readonly folder = mkdtempSync(`${tmpdir()}/slipway-terminal-`);
  readonly #env: NodeJS.ProcessEnv;

  constructor() {
    this.#scope.defer(() => rmSync(this.folder, { recursive: true, force: true }));
    const bin = `${this.folder}/bin`;
    mkdirSync(bin);
    writeFileSync(`${bin}/slipway`, slipwayShim);
    chmodSync(`${bin}/slipway`, 0o755);
    for (const name of ['vcsim', 'kubectl', 'clusterctl']) symlinkSync(peerBinary(name), `${bin}/${name}`);
    this.#env = {
      HOME: this.folder,
      XDG_CONFIG_HOME: `${this.folder}/.config`,
      XDG_DATA_HOME: `${this.folder}/.local/share`,
      KUBECONFIG: '',
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    };
  }

  /** Starts a command that runs until the end of the test. */
  start(command: string): PeerProcess {
    const started = startPeer('bash', ['-c', `cd "$HOME" && exec ${command}`], this.#env);
    this.#scope.defer(() => started.stop());
    return started;
  }

  run(commands: string): Promise<CommandResult> {
    return runCommand('bash', ['-euo', 'pipefail', '-c', commands], { env: this.#env, cwd: this.folder });
  }

  dispose(): Promise<void> {
    return this.#scope.dispose();
  }
}
