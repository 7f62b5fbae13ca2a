import { Command } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  type OutputFormat,
  outputOption,
  type SetExitCode,
} from '../../options/common-options.js';

export interface DoctorOptions extends TargetFlags {
  readonly airGapped: boolean;
  readonly output?: OutputFormat;
}

export function doctorCommand(setExitCode: SetExitCode): Command {
  const command = new Command('doctor')
    .summary('look for what is wrong, or will be')
    .description(
      'Looks at versions, credentials, providers, certificates, etcd, orphans, deletions that do not end, and what needs ' +
        'the internet. Each finding says where, how bad, and what to do. Ends with 1 when there are errors.',
    )
    .option('--air-gapped', 'whatever needs the internet is an error', false)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Without -n it looks at all namespaces.

Examples:
  slipway doctor
  slipway doctor -o json | jq '.diagnoses[] | select(.severity == "error")'`,
    )
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('./run.js');
      setExitCode(await doctor(options));
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
