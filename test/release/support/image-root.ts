import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container } from '@slipway/kube/builtin';
import { type CommandResult, runCommand } from '../../support/run-command.js';

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
}

/** Time after which a program that neither failed nor ended is stopped. */
const runSeconds = 60;

/** The root file system of an image, unpacked from its archive. Programs run in it without a network. */
export class ImageRoot {
  readonly reference: string;
  readonly #folder: string;
  readonly #config: ImageConfig;

  private constructor(archive: string) {
    const work = mkdtempSync(join(tmpdir(), 'slipway-image-root-'));
    this.#folder = work;
    execFileSync('tar', ['-xf', archive, '-C', work]);
    const json = (path: string): unknown => JSON.parse(readFileSync(join(work, path), 'utf8'));
    const blob = (digest: string): string => join('blobs/sha256', digest.replace('sha256:', ''));
    const { manifests } = json('index.json') as {
      manifests: [{ digest: string; annotations: Readonly<Record<string, string>> }];
    };
    const { layers, config } = json(blob(manifests[0].digest)) as {
      layers: readonly { digest: string }[];
      config: { digest: string };
    };
    this.reference = manifests[0].annotations['io.containerd.image.name'] ?? '';
    this.#config = (json(blob(config.digest)) as { config: ImageConfig }).config;
    for (const folder of ['root', 'root/proc']) mkdirSync(join(work, folder), { recursive: true });
    for (const { digest } of layers)
      execFileSync('tar', ['-xzpf', join(work, blob(digest)), '--numeric-owner', '-C', join(work, 'root')]);
  }

  static unpack(archive: string): ImageRoot {
    return new ImageRoot(archive);
  }

  /** Returns the command line that a container runtime starts for a container. */
  commandLine({ command, args }: Pick<Container, 'command' | 'args'>): string[] {
    const { Entrypoint, Cmd } = this.#config;
    return [...(command ?? Entrypoint), ...(args ?? (command === undefined ? Cmd : []))];
  }

  /** Runs a command line with the user, the environment and the directory of the image. */
  run(line: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
    const { User, Env, WorkingDir } = this.#config;
    const [user = '0', group = user] = User.split(':');
    const root = join(this.#folder, 'root');
    const namespaces = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc=/proc'];
    const inside = [`--root=${root}`, `--wd=${WorkingDir}`, `--setgid=${group}`, `--setuid=${user}`];
    // `unshare` searches the program after it has changed the root, by the PATH of the image.
    return runCommand('timeout', [`${runSeconds}`, 'unshare', ...namespaces, ...inside, ...line], {
      env: { ...cleared(), ...Object.fromEntries(Env.map(splitVariable)), ...variables },
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the variables of this process, unset. */
function cleared(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
}

function splitVariable(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}
