import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, systemRandom } from '@slipway/base';
import { generatePassword, operatorNamespace, shippedMatrixText, vdoConfigs } from '@slipway/drivers';
import { parseYamlDocuments } from '@slipway/kube';
import { configMaps, coreEvents, deployments, isConditionTrue, type Resource, secrets } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedPrograms } from '../../packages/cli/test/support/installed.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { startOurServer } from '../support/server-under-test.js';
import { ensureTmux, openTerminal } from '../support/tmux.js';
import { startVcsim, type Vcsim } from '../support/vcsim.js';
import { OperatorOnServer } from './operator-process.js';
import { SecretHunt, setMark } from './secret-hunt.js';

const bin = (name: string): string => join(installedPrograms, name);
/** Generated, because the search would find a literal of this file on disk. */
const administrator = generatePassword(systemRandom);
const vdoKey = { namespace: operatorNamespace, name: 'vdo' };

describe('slipway drivers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-drivers-command-'));
  const logged: string[] = [];
  let on: OperatorOnServer;
  let vcsim: Vcsim;
  let port = '';
  const env = (): NodeJS.ProcessEnv => ({ KUBECONFIG: on.server.kubeconfigFile, HOME: folder, TMPDIR: folder });
  const drivers = (args: readonly string[], input = ''): Promise<CommandResult> =>
    runCommand(process.execPath, [bin('slipway'), 'drivers', ...args], { env: env(), input, cwd: folder });
  const kindsOf = ({ stdout }: CommandResult): string[] =>
    parseYamlDocuments(stdout).map(({ value }) => (value as { readonly kind?: string } | null)?.kind ?? '');
  /** Simulates the cluster until the command exits. */
  const settling = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const waited = work.finally(() => {
      isOver = true;
    });
    while (!isOver) await Promise.race([waited.catch(() => undefined), on.environment.settleWorkloads()]);
    return waited;
  };
  const users = (verb: string, ...more: readonly string[]): readonly string[] => {
    const server = ['--vcenter', '127.0.0.1', '--port', port, '--insecure'];
    const account = ['--admin-user', 'administrator@vsphere.local', '--admin-password-stdin'];
    return ['users', verb, ...server, ...account, ...more];
  };

  beforeAll(async () => {
    ensureTmux();
    // Start without a password, which the search would find in the command line. The simulator accepts every login.
    vcsim = await startVcsim();
    [, port = ''] = vcsim.server.split(':');
    on = await OperatorOnServer.start(await startOurServer(), [], { isInstalled: false });
    await on.environment.addNodes(1);
    await on.environment.initializeNodes();
  });
  afterAll(async () => {
    await on?.stop();
    await vcsim?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reports that nothing is deployed, and whether the cluster is ready', async () => {
    expect(await drivers(['status'])).toMatchObject({ code: 3, stdout: 'VDO: not deployed\n' });
    expect(await drivers(['configure', 'drivers'])).toMatchObject({ code: 2 });
    const ready = await drivers(['preflight']);
    expect(ready.stdout.split('\n').filter((line) => line.startsWith('no'))).toEqual([]);
    expect(ready.code).toBe(0);
    const usage = await drivers(['deploy', '--update-policy', 'sometimes']);
    expect(usage.code).toBe(2);
  });

  it('prints the objects in a dry run, writes them, and waits for the operator (requirements 35, 36, 48, 50, 69)', async () => {
    const printed = await drivers(['deploy', '--print-yaml', '--openshift', 'false']);
    expect(new Set(kindsOf(printed))).toEqual(
      new Set(
        'Namespace CustomResourceDefinition ServiceAccount ClusterRole ClusterRoleBinding Role RoleBinding ConfigMap Service Deployment'.split(
          ' ',
        ),
      ),
    );
    expect(printed.stdout).toContain('priorityClassName: system-cluster-critical');
    const deployed = await settling(drivers(['deploy']));
    expect(deployed).toMatchObject({ code: 0, stderr: '' });
    expect(deployed.stdout).toContain('created Deployment vmware-system-vdo/vdo-controller-manager');
    expect(deployed.stdout).toMatch(/the operator is running\nNext: `slipway drivers configure drivers`\n$/);
    const version = await drivers(['version']);
    const { metadata } = await on.client.get(deployments, { ...vdoKey, name: 'vdo-controller-manager' });
    expect(version.stdout).toContain(`CLI Version : ${metadata.labels?.['app.kubernetes.io/version'] ?? '-'}`);
    expect((await settling(drivers(['deploy']))).stdout).not.toContain('created ');
    await on.startOperator({}, collecting(logged));
  });

  it('creates accounts and stores the administrator password nowhere (requirements 39, 40)', async () => {
    const hunt = new SecretHunt(administrator);
    const mark = join(folder, 'mark');
    setMark(mark);
    const places = ['--datacenter', 'DC0', '--datastore', 'LocalDS_0', '--cluster', 'DC0_C0', '--file-volumes'];
    const made = await hunt.during(drivers(users('create', ...places), `${administrator}\n`));
    expect(made).toMatchObject({ code: 0, stderr: '' });
    for (const line of [
      'created account vdo-cpi@vsphere.local',
      'created role CNS-DATASTORE',
      'granted VSPHERE.LOCAL\\vdo-csi role CNS-HOST-CONFIG-STORAGE on cluster DC0_C0',
      'created Secret kube-system/127.0.0.1-creds-csi',
    ])
      expect(made.stdout).toContain(line);
    const listed = await hunt.during(drivers(users('list'), `${administrator}\n`));
    // Unlike vCenter, the simulator does not report the location.
    expect(listed.stdout).toMatch(/^VSPHERE\.LOCAL\\vdo-cpi {2}ReadOnly .*, propagated to child objects$/m);
    expect(listed.stdout).toMatch(/^VSPHERE\.LOCAL\\vdo-csi {2}CNS-SEARCH-AND-SPBM /m);
    const updated = await hunt.during(drivers(users('update', ...places), `${administrator}\n`));
    expect(updated).toMatchObject({ code: 0, stdout: '' });
    expect((await drivers(['secrets', 'check', '--name', '127.0.0.1-creds-csi'])).code).toBe(0);
    hunt.scanProcesses();
    hunt.scanDisk(mark);
    for (const result of [made, listed, updated]) hunt.scan('the output', `${result.stdout}${result.stderr}`);
    hunt.scan('the log of the operator', logged.join('\n'));
    for (const resource of [secrets, configMaps, coreEvents] as readonly unknown[] as readonly Resource[])
      for (const object of (await on.client.list(resource)).items)
        hunt.scan(`${resource.kind} ${object.metadata.name ?? ''}`, decoded(object));
    expect([...hunt.found]).toEqual([]);
    expect(hunt.scans).toBeGreaterThan(3);
    // Verify that the search finds an existing secret.
    hunt.scan('a test', JSON.stringify({ password: administrator }));
    expect([...hunt.found]).toEqual(['a test']);
  });

  it('stops watching but not the deployment on Ctrl-C or a kill (requirement 51)', async () => {
    const args = ['configure', 'drivers', '--vcenter', '127.0.0.1', '--port', port, '--insecure', '--name', 'vdo'];
    const named = [...args, '--datacenter', 'DC0', '--secret-name', '127.0.0.1-creds-csi'];
    expect(new Set(kindsOf(await drivers([...named, '--print-yaml'])))).toEqual(
      new Set(['VsphereCloudConfig', 'VDOConfig']),
    );
    const interrupted = await signalled(['drivers', ...named], 'SIGINT');
    expect(interrupted).toMatchObject({ code: 130 });
    expect(interrupted.stderr).toContain('the installation continues; run `slipway drivers status`');
    // Poll: the operator may not have reconciled the object yet.
    await expect
      .poll(() => drivers(['status']))
      .toMatchObject({ code: 4, stdout: expect.stringContaining('Problems:') as string });
    expect(await signalled(['drivers', 'upgrade', '--csi', 'auto'], 'SIGKILL')).toMatchObject({ code: null });
    const ready = await on.until(
      (config) => isConditionTrue(config, 'Ready'),
      () => on.environment.settleWorkloads(),
    );
    expect(ready.status?.summary).toBe('Healthy');
  });

  it('prints one word when everything is healthy, and supports every documented command (requirements 41, 98, 99)', async () => {
    const status = await drivers(['status']);
    expect(status.code).toBe(0);
    expect(status.stdout).toMatch(/^VDO: Healthy\n/);
    expect(status.stdout).toMatch(/StorageProvider : 3\.8\.0 {2}Healthy\n/);
    expect(status.stdout).toContain('vdo-csi@vsphere.local');
    expect(status.stdout).not.toContain('Problems:');
    const json = JSON.parse((await drivers(['status', '-o', 'json'])).stdout) as { vdoConfig: { status: object } };
    expect(json.vdoConfig.status).toMatchObject({ summary: 'Healthy' });
    const alias = await runCommand(process.execPath, [bin('vdoctl'), 'version'], { env: env() });
    expect(alias).toMatchObject({ code: 0 });
    expect(alias.stdout).toMatch(/^kubernetes Version : 1\.36\n/);
    expect(alias.stdout).toContain('CSI Version : 3.8.0\n');
    for (const args of [['deploy'], ['users', 'create'], ['secrets', 'set'], ['status'], ['version']])
      expect((await drivers([...args, '--help'])).code).toBe(0);
  });

  it('prints every other write in a dry run, and updates matrices and Secrets', async () => {
    const matrix = join(folder, 'matrix.json');
    writeFileSync(matrix, shippedMatrixText());
    const secret = ['secrets', 'set', '--name', 'one', '--username', 'a@b', '--password-stdin'];
    const rows: (readonly [readonly string[], string])[] = [
      [secret, 'Secret'],
      [['update', 'compatibility-matrix', matrix], 'ConfigMap'],
      [['configure', 'compatibility-matrix', 'https://m.example/m.json'], 'ConfigMap'],
      [['upgrade'], 'ConfigMap'],
      [['upgrade', '--csi', '3.8.0'], 'VDOConfig'],
    ];
    const before = (await on.client.list(configMaps, { namespace: operatorNamespace })).resourceVersion;
    for (const [args, kind] of rows) {
      const printed = await drivers([...args, '--print-yaml'], 'pass\n');
      expect([args, kindsOf(printed)]).toEqual([args, [kind]]);
    }
    expect(before).not.toBe('');
    expect((await drivers(secret, 'pass\n')).stdout).toBe('created Secret kube-system/one\n');
    expect((await drivers(['secrets', 'check', '--name', 'two'])).stderr).toContain('Secret kube-system/two not found');
    expect((await drivers(['matrix', 'validate', matrix])).stdout).toMatch(/^revision .*CSI \d+ versions/);
    expect((await drivers(['matrix', 'show'])).stdout).toContain('"CSI"');
    const explained = await drivers(['matrix', 'explain', '--kubernetes', '1.36', '--vsphere', '8.0.3']);
    expect(explained.stdout).toMatch(/3\.8\.0 .* fits/);
    const none = await drivers(['matrix', 'explain', '--kubernetes', '1.20', '--vsphere', '8.0.3']);
    expect(none).toMatchObject({ code: 1 });
    expect((await drivers(['update', 'cm', matrix])).code).toBe(0);
    const map = await on.client.get(configMaps, { ...vdoKey, name: 'compat-matrix-config' });
    expect(map.data).toMatchObject({ 'configured-by': 'user', versionConfigContent: shippedMatrixText() });
    expect((await settling(drivers(['upgrade', '--csi', 'v3.8.0']))).code).toBe(0);
    expect((await on.client.get(vdoConfigs, vdoKey)).spec?.storageProvider?.version).toBe('3.8.0');
    expect((await drivers(['rollback', 'csi'])).stderr).toContain(
      'cannot roll back the CSI: no previous version is recorded',
    );
  });

  it('prompts at a terminal, and prompts again only for values that vCenter rejects', async () => {
    const args = ['drivers', 'configure', 'drivers', '--print-yaml', '--name', 'vdo'];
    const line = `env -u NO_COLOR HOME=${folder} ${process.execPath} ${bin('slipway')} ${args.join(' ')}`;
    const terminal = openTerminal('drivers', 140, 60, line);
    try {
      const answer = async (question: string, ...keys: readonly string[]): Promise<void> => {
        await terminal.until(question, (screen) => screen.includes(question));
        for (const key of keys) terminal.type(key);
      };
      await answer('Install the cloud provider', 'Enter');
      await answer('Host name or IP address of vCenter', `127.0.0.1:${port}`, 'Enter');
      await answer('Trust it?', 'Enter');
      await answer('vCenter user, as user@domain', 'vdo@vsphere.local', 'Enter');
      await answer('Password of vdo@vsphere.local', 'h1dden', 'Enter');
      await answer('Datacenters, comma-separated', 'Nowhere', 'Enter');
      await terminal.until('the remedy', (screen) => screen.includes('correct spec.datacenters'));
      // Wait for the next prompt: earlier input is not an answer to it.
      await terminal.until('the question again', (screen) => screen.split('Datacenters, comma-separated').length > 2);
      terminal.type('DC0');
      terminal.type('Enter');
      for (const question of ['a separate vCenter account?', 'define zones', 'kubelet directory', 'file volumes?'])
        await answer(question, 'Enter');
      const screen = await terminal.until('the VDOConfig', (text) => text.includes('kind: VDOConfig'));
      expect(screen).toContain('- DC0');
      expect(screen).not.toContain('h1dden');
      expect(await terminal.ended()).toBe(0);
    } finally {
      terminal.stop();
    }
  });

  async function signalled(args: readonly string[], signal: NodeJS.Signals): Promise<CommandResult> {
    const child = spawn(process.execPath, [bin('slipway'), ...args], { env: { ...process.env, ...env() } });
    let [stdout, stderr] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const closed = once(child, 'close');
    // The command has written everything once it starts to watch.
    const following = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        if (/waiting for|Installing|Waiting|Healthy|Upgrading|Restarting|:/.test(stdout)) resolve();
      });
    });
    await Promise.race([following, closed]);
    child.kill(signal);
    const [code] = (await closed) as [number | null];
    return { code, stdout, stderr };
  }
});

/** Decodes the values of a Secret, which are base64-encoded. */
function decoded(object: object): string {
  const { data = {} } = object as { readonly data?: Readonly<Record<string, string>> };
  const texts = Object.values(data).map((value) => Buffer.from(value, 'base64').toString('latin1'));
  return [JSON.stringify(object), ...texts].join('\n');
}

function collecting(lines: string[]): Logger {
  const note = (...args: readonly unknown[]): void =>
    void lines.push(args.map((word) => JSON.stringify(word)).join(' '));
  const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger } as never;
  return logger;
}
