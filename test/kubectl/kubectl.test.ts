import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peerBinary } from '../support/peer-process.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { type ServerPair, type ServerUnderTest, startServerPair } from '../support/server-under-test.js';
import { type Command, commands } from './commands.js';
import { allowedOutputs } from './allowed-outputs.js';
import { normaliseOutput, withoutProse } from './normalise-output.js';

// Compares the output, errors and exit code of each command between kube-apiserver and Slipway.
const manifests = fileURLToPath(new URL('./manifests', import.meta.url));
const eventuallyMs = 120_000;
const folder = mkdtempSync(`${tmpdir()}/kubectl-`);

const programs = [
  { name: 'kubectl 1.36', program: peerBinary('kubectl') },
  { name: 'kubectl of this machine', program: installedKubectl() },
];

/** Returns another minor version of kubectl, if one is installed on this host. */
function installedKubectl(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v kubectl'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

function createRequest(): string {
  const [key, file] = [`${folder}/client.key`, `${folder}/client.csr`];
  execFileSync('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', key]);
  execFileSync('openssl', ['req', '-new', '-key', key, '-out', file, '-subj', '/CN=client']);
  return execFileSync('base64', ['-w', '0', file], { encoding: 'utf8' });
}

class Session {
  readonly #home: string;
  readonly #kubeconfig: string;

  constructor(
    private readonly program: string,
    private readonly server: ServerUnderTest,
  ) {
    this.#home = mkdtempSync(`${folder}/home-`);
    this.#kubeconfig = `${this.#home}/config`;
    copyFileSync(server.kubeconfigFile, this.#kubeconfig);
  }

  async run(command: Command): Promise<string> {
    const deadline = Date.now() + eventuallyMs;
    for (;;) {
      const result = await this.#once(command);
      const retry = command.eventually === true && (result.code !== 0 || result.stdout.trim() === '');
      if (!retry || Date.now() > deadline) return this.#describe(command, result);
    }
  }

  #once(command: Command): Promise<CommandResult> {
    const args = command.line.split(' ').map((argument) => argument.replace(/^%/, manifests));
    const editor = `${this.#home}/editor`;
    writeFileSync(editor, `#!/bin/sh\nexec sed -i '${command.edit ?? ''}' "$1"\n`);
    chmodSync(editor, 0o755);
    return runCommand(this.program, args, {
      env: { KUBECONFIG: this.#kubeconfig, HOME: this.#home, KUBE_EDITOR: editor, KUBECTL_EXTERNAL_DIFF: 'diff -u -N' },
      ...(command.input === undefined ? {} : { input: command.input }),
    });
  }

  #describe(command: Command, { code, stdout, stderr }: CommandResult): string {
    if (command.exitCodeOnly === true) return `exit code ${code}`;
    const clean = (text: string): string => {
      const normalised = normaliseOutput(text, this.server.port);
      return command.line.startsWith('explain ') ? withoutProse(normalised) : normalised;
    };
    return `${clean(stdout)}\n--- errors\n${clean(stderr)}\n--- exit code ${code}`;
  }
}

let pair: ServerPair;
let request = '';
beforeAll(async () => {
  request = createRequest();
  pair = await startServerPair();
});
afterAll(async () => {
  await pair?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// Only the installed version is optional. The peer is required.
describe.each(programs.filter(({ program }) => program !== undefined))('$name', ({ program }) => {
  let sessions: readonly Session[] = [];

  beforeAll(() => {
    sessions = [pair.theirs, pair.ours].map((server) => new Session(program ?? '', server));
  });

  const script = commands('');
  it.each(script.map((command, index) => ({ line: command.line, index })))('$line', async ({ line, index }) => {
    const command = commands(request)[index] as Command;
    const [theirs, ours] = await Promise.all(sessions.map((session) => session.run(command)));
    if (allowedOutputs.some(({ command: allowed }) => allowed.test(line))) return;
    expect(ours).toBe(theirs);
  });
});
