import type { Command } from 'commander';
import { commandNodes } from './command-tree.js';
import type { Shell } from './command.js';
import { bashScript, fishScript, zshScript } from './text.js';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Prints the completion script of a shell. */
export function completion(shell: Shell, program: Command): void {
  process.stdout.write(scripts[shell](commandNodes(program)));
}
