import { Command } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addExamples,
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

const kinds = 'machinedeployment/NAME or kubeadmcontrolplane/NAME.';

export function rolloutCommand(setExitCode: SetExitCode): Command {
  return new Command('rollout')
    .summary('Manage the rollout of machines')
    .description(
      'Manage the rollout of MachineDeployments and KubeadmControlPlanes, as `clusterctl alpha rollout` does.',
    )
    .addCommand(simple('restart', 'Replace all machines'))
    .addCommand(simple('pause', 'Pause a rollout'))
    .addCommand(simple('resume', 'Resume a paused rollout'))
    .addCommand(statusCommand(setExitCode))
    .addCommand(undoCommand());
}

function simple(verb: 'restart' | 'pause' | 'resume', summary: string): Command {
  const command = new Command(verb).summary(summary).argument('<resource...>', kinds);
  command.action(async (resources: string[], options: TargetFlags) => {
    const { rollout } = await import('./run.js');
    await rollout(verb, resources, options);
  });
  return addExamples(
    common(command),
    `slipway rollout ${verb} machinedeployment/demo-workers`,
    `slipway rollout ${verb} kubeadmcontrolplane/demo -n team-a`,
  );
}

function statusCommand(setExitCode: SetExitCode): Command {
  const command = new SwitchCommand('status')
    .summary('Show the status of a rollout')
    .description(
      'Show the status of a rollout and wait until it is complete. Ctrl-C stops waiting; the rollout continues.',
    )
    .argument('<resource>', kinds)
    .addSwitch('-w, --watch', 'Wait until the rollout is complete.', true)
    .option('--timeout <time>', 'Maximum duration of the wait. Defaults to no limit.', parseMilliseconds);
  command.action(async (resource: string, options: RolloutStatusOptions) => {
    const { followRollout } = await import('./run.js');
    setExitCode(await followRollout(resource, options));
  });
  return addExamples(
    common(command),
    'slipway rollout status machinedeployment/demo-workers',
    'slipway rollout status kubeadmcontrolplane/demo --timeout 10m',
  );
}

function undoCommand(): Command {
  const command = new Command('undo')
    .summary('Roll back to a previous revision')
    .argument('<resource>', 'machinedeployment/NAME.')
    .option('--to-revision <number>', 'Revision to roll back to. Defaults to the previous revision.', parseCount);
  command.action(async (resource: string, options: RolloutUndoOptions) => {
    const { undo } = await import('./run.js');
    await undo(resource, options);
  });
  return addExamples(
    common(command),
    'slipway rollout undo machinedeployment/demo-workers',
    'slipway rollout undo machinedeployment/demo-workers --to-revision 3',
  );
}

function common(command: Command): Command {
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
