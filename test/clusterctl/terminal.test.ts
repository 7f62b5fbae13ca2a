import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, type Plane, startPlane } from '../../packages/cli/test/support/command.js';
import { peerBinary } from '../support/peer-process.js';
import { runCommand } from '../support/run-command.js';
import { ensureTmux, openTerminal, type Terminal } from '../support/tmux.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-terminal-'));
const opened: Terminal[] = [];
let plane: Plane;
beforeAll(async () => {
  ensureTmux();
  plane = await startPlane(join(folder, 'plane'));
});
afterAll(async () => {
  for (const terminal of opened) terminal.stop();
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

/** A cluster that is blocked until it is released, so that it cannot become available before the keys are pressed. */
const stoppedTemplate = readFileSync(new URL('../../docs/samples/quick-start.yaml', import.meta.url), 'utf8')
  .replaceAll('quick-start', 'stopped')
  .replace('spec:\n', 'spec:\n  paused: true\n')
  .replace('replicas: 1', 'replicas: 3');

/** Runs the command in its own terminal. */
class Screen {
  readonly #terminal: Terminal;

  constructor(name: string, width: number, args: readonly string[]) {
    const line = [process.execPath, installedSlipway, ...args].join(' ');
    const command = `env -u NO_COLOR HOME=${folder} KUBECONFIG=${plane.kubeconfig} ${line}; echo "ended with $?"; cat`;
    this.#terminal = openTerminal(name, width, 50, command);
    opened.push(this.#terminal);
  }

  until(text: string): Promise<string> {
    return this.#terminal.until(text, (screen) => screen.includes(text));
  }

  type(...keys: readonly string[]): void {
    for (const key of keys) this.#terminal.type(key);
  }
}

describe('at a terminal', () => {
  it.each([80, 140])(
    'create cluster prompts for missing variables and draws the tree, %i columns wide',
    async (width) => {
      const screen = new Screen(`ask-${width}`, width, ['create', 'cluster', '--kubernetes-version', 'v1.34.1']);
      await screen.until('Name of the cluster');
      screen.type('Not A Name', 'Enter');
      await screen.until('a lowercase RFC 1123 subdomain');
      screen.type(...Array.from({ length: 10 }, () => 'BSpace'), `asked-${width}`, 'Enter');
      await screen.until('Infrastructure provider');
      screen.type('Enter');
      await screen.until('Number of control plane machines');
      screen.type('0', 'Enter');
      await screen.until('a whole number, 1 or greater');
      screen.type('BSpace', '1', 'Enter');
      await screen.until('Number of worker machines');
      screen.type('Enter');
      const shown = await screen.until('ended with 0');
      // The command exits when the cluster is Available. The control plane machine may be counted as ready shortly after that.
      expect(shown).toMatch(new RegExp(`Cluster default/asked-${width} +[23]/3 +True`));
      expect(shown).toContain('└─Workers');
      expect(shown).toContain(`slipway get kubeconfig asked-${width} -n default`);
      const after = new Screen(`counted-${width}`, width, ['describe', 'cluster', `asked-${width}`, '--watch']);
      await after.until('3/3');
    },
  );

  it('Ctrl-C ends the display but not the creation, and prints how to continue watching', async () => {
    const template = join(folder, 'stopped.yaml');
    writeFileSync(template, stoppedTemplate);
    const screen = new Screen('stop', 140, ['create', 'cluster', 'stopped', '--yes', '--from', template]);
    await screen.until('Cluster default/stopped');
    screen.type('C-c');
    const shown = await screen.until('ended with 130');
    expect(shown).toContain('Interrupted: the cluster is still being created.');
    expect(shown).toContain('slipway describe cluster stopped -n default --watch');
    const env = { KUBECONFIG: plane.kubeconfig };
    const goOn = ['patch', 'cluster', 'stopped', '--type=merge', '-p', '{"spec":{"paused":false}}'];
    expect(await runCommand(peerBinary('kubectl'), goOn, { env })).toMatchObject({ code: 0 });
    const after = new Screen('after', 140, ['describe', 'cluster', 'stopped', '--watch']);
    await after.until('5/5');
  });

  it('Ctrl-C at a prompt creates nothing', async () => {
    const screen = new Screen('cancel', 80, ['create', 'cluster']);
    await screen.until('Name of the cluster');
    screen.type('C-c');
    expect(await screen.until('ended with 130')).toContain('Nothing was created.');
  });
});
