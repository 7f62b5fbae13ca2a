import { Command, Option } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addExamples,
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  parseCount,
} from '../../options/common-options.js';

export interface ScaleOptions extends TargetFlags {
  readonly replicas: number;
}

export function scaleCommand(): Command {
  const command = new Command('scale')
    .summary('Set the number of replicas of a MachineDeployment or control plane')
    .description(
      'Set the number of replicas of objects with a scale subresource: MachineDeployments, MachineSets, MachinePools and ' +
        'KubeadmControlPlanes.',
    )
    .argument('<object...>', 'Objects, as for kubectl: type/name, or type name.')
    .addOption(new Option('--replicas <number>', 'Number of replicas.').argParser(parseCount).makeOptionMandatory())
    .action(async (args: readonly string[], options: ScaleOptions) => {
      const { scale } = await import('./run.js');
      await scale(args, options);
    });
  return addExamples(
    addVerboseOption(addNamespaceOption(addTargetOptions(command))),
    'slipway scale machinedeployment/demo-workers --replicas 5',
    'slipway scale kcp demo --replicas 3 -n team-a',
  );
}
