import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseYamlDocuments } from '@slipway/kube';
import { vi } from 'vitest';
import { peerBinary } from '../support/peer-process.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

/** Runs `slipway` and stock clusterctl in a separate home directory, with the repository that `slipway release` writes. */
export interface Workbench {
  readonly folder: string;
  readonly repository: string;
  /** Runs stock clusterctl with that repository. */
  clusterctl(args: readonly string[], options?: WorkbenchOptions): Promise<CommandResult>;
  slipway(args: readonly string[], options?: WorkbenchOptions): Promise<CommandResult>;
  kubectl(args: readonly string[], options?: WorkbenchOptions): Promise<string>;
  dispose(): void;
}

interface WorkbenchOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

export async function openWorkbench(kubeconfig?: string): Promise<Workbench> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-clusterctl-'));
  const repository = join(folder, 'repository');
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_DATA_HOME: join(folder, '.data'),
    CLUSTERCTL_DISABLE_VERSIONCHECK: 'true',
    KUBECONFIG: kubeconfig ?? join(folder, 'none'),
  };
  const run = (path: string, args: readonly string[], options: WorkbenchOptions = {}): Promise<CommandResult> =>
    runCommand(path, args, { ...options, env: { ...env, ...options.env } });
  const slipway: Workbench['slipway'] = (args, options) => run(process.execPath, [installedSlipway, ...args], options);
  succeeded(await slipway(['release', '--out', repository]));
  return {
    folder,
    repository,
    slipway,
    clusterctl: (args, options) =>
      run(peerBinary('clusterctl'), ['--config', join(repository, 'clusterctl.yaml'), ...args], options),
    kubectl: async (args, options) => succeeded(await run(peerBinary('kubectl'), args, options)),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const certManager = new URL('../../docs/samples/cert-manager-definitions.yaml', import.meta.url);

/**
 * Installs the CRDs of cert-manager and waits until they are served. Stock clusterctl checks only once: CRDs that are established
 * but not served yet look missing, and it would download cert-manager.
 */
export async function defineCertManager(workbench: Workbench): Promise<void> {
  await workbench.kubectl(['apply', '-f', '-'], { input: readFileSync(certManager, 'utf8') });
  await vi.waitFor(() => workbench.kubectl(['get', 'issuers,certificates', '-A']), { timeout: 120_000, interval: 200 });
}

/** Returns the output of a command. Throws if it failed. */
export function succeeded({ code, stdout, stderr }: CommandResult): string {
  if (code !== 0) throw new Error(`ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

export function documents(text: string): unknown[] {
  return parseYamlDocuments(text).map(({ value }) => value);
}
