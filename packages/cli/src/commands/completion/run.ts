import type { Command } from 'commander';
import type { Shell } from './command.js';
import { bashScript } from './bash-script.js';
import { commandNodes } from './command-tree.js';
import { fishScript } from './fish-script.js';
import { zshScript } from './zsh-script.js';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Prints the script by which a shell completes the command. */
export function completion(shell: Shell, program: Command): void {
  process.stdout.write(scripts[shell](commandNodes(program)));
}
