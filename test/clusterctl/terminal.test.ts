import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, type Plane, startPlane } from '../../packages/cli/test/support/command.js';

const bundle = fileURLToPath(new URL('../../packages/cli/dist/slipway.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'slipway-terminal-'));
const socket = join(folder, 'tmux');
let plane: Plane;
beforeAll(async () => {
  plane = await startPlane(join(folder, 'plane'));
});
afterAll(() => {
  tmux('kill-server');
  killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

function tmux(...words: readonly string[]): string {
  return execFileSync('tmux', ['-S', socket, ...words], { encoding: 'utf8' });
}

/** A terminal of its own, as a person has one. */
class Screen {
  readonly #name: string;

  constructor(name: string, width: number, words: readonly string[]) {
    this.#name = name;
    const line = [process.execPath, bundle, ...words].join(' ');
    // The code at the end, and a shell that stays, so that the last picture can be looked at.
    const command = `env -u NO_COLOR HOME=${folder} KUBECONFIG=${plane.kubeconfig} ${line}; echo "ended with $?"; cat`;
    tmux('new-session', '-d', '-s', name, '-x', String(width), '-y', '50', command);
  }

  async until(text: string): Promise<string> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const shown = tmux('capture-pane', '-p', '-t', this.#name);
      if (shown.includes(text)) return shown;
      if (Date.now() > deadline) throw new Error(`"${text}" is not on the screen:\n${shown}`);
      // A screen tells nobody that it has changed.
      await pause(100);
    }
  }

  type(...keys: readonly string[]): void {
    tmux('send-keys', '-t', this.#name, ...keys);
  }
}

describe('at a terminal', () => {
  it.each([80, 140])('create cluster asks for what is missing and draws the tree, %i columns wide', async (width) => {
    const screen = new Screen(`ask-${width}`, width, ['create', 'cluster', '--kubernetes-version', 'v1.34.1']);
    await screen.until('What is the cluster to be called?');
    screen.type('Not A Name', 'Enter');
    await screen.until('a lowercase RFC 1123 subdomain');
    screen.type(...Array.from({ length: 10 }, () => 'BSpace'), `asked-${width}`, 'Enter');
    await screen.until('How many control-plane machines?');
    screen.type('0', 'Enter');
    await screen.until('a whole number, 1 or more');
    screen.type('BSpace', '1', 'Enter');
    await screen.until('How many worker machines?');
    screen.type('Enter');
    const shown = await screen.until('ended with 0');
    expect(shown).toMatch(new RegExp(`Cluster default/asked-${width} +3/3 +True`));
    expect(shown).toContain('└─Workers');
    expect(shown).toContain(`slipway get kubeconfig asked-${width} -n default`);
  });

  it('Ctrl-C ends the showing and not the work, and it says how to go on looking', async () => {
    const words = ['create', 'cluster', 'stopped', '--yes', '--control-plane-machine-count', '3'];
    const screen = new Screen('stop', 140, words);
    await screen.until('Cluster default/stopped');
    screen.type('C-c');
    const shown = await screen.until('ended with 130');
    expect(shown).toContain('Interrupted: the cluster goes on coming up.');
    expect(shown).toContain('slipway describe cluster stopped -n default --watch');
    const after = new Screen('after', 140, ['describe', 'cluster', 'stopped', '--watch']);
    await after.until('5/5');
  });

  it('Ctrl-C at a question makes nothing', async () => {
    const screen = new Screen('cancel', 80, ['create', 'cluster']);
    await screen.until('What is the cluster to be called?');
    screen.type('C-c');
    expect(await screen.until('ended with 130')).toContain('Nothing was made.');
  });
});
