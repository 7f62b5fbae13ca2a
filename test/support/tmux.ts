import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

/** A real terminal of a given size, with a program in it. */
export interface Terminal {
  /** Returns the text on the screen, without trailing spaces. */
  screen(): string;
  /** Returns the text on the screen with color codes. */
  colours(): string;
  /** Returns all output without escape codes, including text that was overwritten. */
  drawn(): string;
  /** Waits for the first screen that matches. */
  until(what: string, fits: (screen: string) => boolean, limitMs?: number): Promise<string>;
  type(keys: string): void;
  /** Resolves with the exit code once the program in the terminal has exited. */
  ended(): Promise<number>;
  resize(columns: number, rows: number): void;
  stop(): void;
}

const patienceMs = 120_000;
const lookMs = 100;

/**
 * Opens a terminal. `command` is passed to a shell. Each terminal has its own tmux server, so that terminals cannot be confused.
 */
export function openTerminal(name: string, columns: number, rows: number, command: string): Terminal {
  const socket = `slipway-test-${name}-${process.pid}`;
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8' });
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tmux-'));
  const exitCode = join(folder, 'exit-code');
  const drawn = join(folder, 'drawn');
  // tmux does not always report the exit code, and a shell that only waits would be killed by Ctrl-C too.
  const recorded = `trap : INT; ${command}; echo $? > ${exitCode}`;
  const size = ['-x', String(columns), '-y', String(rows)];
  // Use one tmux command: between two, a program may exit and close its terminal, or write output that is not recorded.
  const kept = [';', 'set-option', '-g', 'remain-on-exit', 'on', ';', 'pipe-pane', `cat > ${drawn}`];
  tmux('-f', '/dev/null', 'new-session', '-d', ...size, recorded, ...kept);
  const screen = (): string => tmux('capture-pane', '-p', '-S', '-200').replaceAll(/ +$/gm, '');
  const until = async <T>(what: string, check: () => T | undefined, limitMs = patienceMs): Promise<T> => {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const found = check();
      if (found !== undefined) return found;
      if (Date.now() > deadline) throw new Error(`not on the screen: ${what}\n${screen()}`);
      // Poll: a terminal has no event for changes.
      await pause(lookMs);
    }
  };
  return {
    screen,
    drawn: () => stripVTControlCharacters(readIfPresent(drawn)),
    colours: () => tmux('capture-pane', '-p', '-e'),
    until: (what, fits, limitMs) =>
      until(
        what,
        () => {
          const seen = screen();
          return fits(seen) ? seen : undefined;
        },
        limitMs,
      ),
    ended: () =>
      until('the end', () => {
        const status = readIfPresent(exitCode).trim();
        return status === '' ? undefined : Number(status);
      }),
    type: (keys) => void tmux('send-keys', keys),
    resize: (width, height) => void tmux('resize-window', '-x', String(width), '-y', String(height)),
    stop: () => {
      spawnSync('tmux', ['-L', socket, 'kill-server']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readIfPresent(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Installs tmux from Debian if it is missing: tests that need it are never skipped. */
export function ensureTmux(): void {
  if (spawnSync('tmux', ['-V']).status === 0) return;
  const { status, stderr } = spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'tmux'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`tmux is missing, and apt-get cannot install it: ${stderr}`);
}
