import { Command } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  parseCount,
  parseMilliseconds,
  type SetExitCode,
} from '../../options/common-options.js';
import { SwitchCommand } from '../../options/switch-command.js';

export interface RolloutStatusOptions extends TargetFlags {
  readonly watch: boolean;
  readonly timeout?: number;
}

export interface RolloutUndoOptions extends TargetFlags {
  readonly toRevision?: number;
}

const kinds = 'machinedeployment/name or kubeadmcontrolplane/name';

export function rolloutCommand(setExitCode: SetExitCode): Command {
  return new Command('rollout')
    .summary('replace machines, or hold that back')
    .description('Works on MachineDeployments and KubeadmControlPlanes, as `clusterctl alpha rollout` does.')
    .addCommand(simple('restart', 'replace all machines, one after another'))
    .addCommand(simple('pause', 'change no more machines until resumed'))
    .addCommand(simple('resume', 'go on after a pause'))
    .addCommand(statusCommand(setExitCode))
    .addCommand(undoCommand());
}

function simple(verb: 'restart' | 'pause' | 'resume', summary: string): Command {
  const command = new Command(verb).summary(summary).argument('<resource...>', kinds);
  command.action(async (resources: string[], options: TargetFlags) => {
    const { rollout } = await import('./run.js');
    await rollout(verb, resources, options);
  });
  return common(command);
}

function statusCommand(setExitCode: SetExitCode): Command {
  const command = new SwitchCommand('status')
    .summary('how far a rollout is')
    .description('Says how far a rollout is, and waits for its end. Ctrl-C ends the waiting, not the rollout.')
    .argument('<resource>', kinds)
    .addSwitch('-w, --watch', 'wait for its end', true)
    .option('--timeout <time>', 'how long to wait; else as long as it takes', parseMilliseconds);
  command.action(async (resource: string, options: RolloutStatusOptions) => {
    const { followRollout } = await import('./run.js');
    setExitCode(await followRollout(resource, options));
  });
  return common(command);
}

function undoCommand(): Command {
  const command = new Command('undo')
    .summary('go back to an earlier template, while a rollout is under way')
    .argument('<resource>', 'machinedeployment/name')
    .option('--to-revision <number>', 'another one than the last before', parseCount);
  command.action(async (resource: string, options: RolloutUndoOptions) => {
    const { undo } = await import('./run.js');
    await undo(resource, options);
  });
  return common(command);
}

function common(command: Command): Command {
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
