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
  readonly storage: boolean;
  readonly output?: OutputFormat;
}

export function doctorCommand(setExitCode: SetExitCode): Command {
  const command = new Command('doctor')
    .summary('Check the management cluster for problems and upcoming expirations')
    .description(
      'Check versions, credentials, storage, providers, webhooks, infrastructure, certificates, etcd, clusters, orphaned ' +
        'objects, stuck deletions and dependencies on the internet. Each finding has an object, a severity and a remedy. ' +
        'Without -n, all namespaces are checked. Exits with code 1 if there are errors.',
    )
    .option('--air-gapped', 'Report every dependency on the internet as an error.', false)
    .option(
      '--storage',
      'Check the data file in --data-dir instead of the management cluster: its structure and the checksum of every record.',
      false,
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway doctor
  slipway doctor --storage --data-dir ./plane
  slipway doctor -o json | jq '.diagnoses[] | select(.severity == "error")'`,
    )
    .action(async (options: DoctorOptions) => {
      if (options.storage) {
        const { checkStorage } = await import('./run-storage.js');
        setExitCode(await checkStorage(options));
        return;
      }
      const { doctor } = await import('./run.js');
      setExitCode(await doctor(options));
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
