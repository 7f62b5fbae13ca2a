import { Argument, Command } from 'commander';
import { addVerboseOption } from '../../options/common-options.js';

export type Shell = 'bash' | 'zsh' | 'fish';

export function completionCommand(): Command {
  const command = new Command('completion')
    .summary('Print the shell completion script')
    .description('Print the completion script of slipway for a shell.')
    .addArgument(new Argument('<shell>', 'Shell.').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  source <(slipway completion bash)
  slipway completion zsh > "\${fpath[1]}/_slipway"
  slipway completion fish > ~/.config/fish/completions/slipway.fish`,
    )
    .action(async (shell: Shell, _flags: object, own: Command) => {
      const { completion } = await import('./run.js');
      completion(shell, own.parent ?? own);
    });
  return addVerboseOption(command);
}
