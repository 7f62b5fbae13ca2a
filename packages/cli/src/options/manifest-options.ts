import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ServerFlags } from '../connection/index.js';
import { addNamespaceOption, addTargetOptions, parseMilliseconds } from './common-options.js';

const outcomesToForbid = ['create', 'replace', 'update', 'delete'] as const;

/** Flags of the commands that plan the changes of a manifest. */
export interface PlanFlags extends ServerFlags {
  readonly dataDir?: string;
  readonly namespace?: string;
  readonly filename: readonly string[];
  readonly forbid: readonly (typeof outcomesToForbid)[number][];
  readonly forceConflicts?: boolean;
  readonly featureGates: string;
  readonly timeout: number;
}

export function addManifestOptions(command: Command, { isOptional = false } = {}): Command {
  command
    .addOption(
      new Option('-f, --filename <file>', 'Manifest: a file, a directory, or - for standard input. Can be repeated.')
        .argParser(repeated)
        .makeOptionMandatory(!isOptional),
    )
    .addOption(
      new Option(
        '--forbid <outcome>',
        'Exit with code 7 if the plan contains this outcome for a machine: create, replace, update or delete. Can be repeated.',
      )
        .argParser(parseOutcome)
        .default([], 'none'),
    )
    .option('--force-conflicts', 'Take ownership of fields that other field managers own.')
    .addOption(
      new Option(
        '--feature-gates <A=true,B=false>',
        'Feature gates to use for the plan, overriding those of the management cluster.',
      ).default('', 'none'),
    )
    .addOption(
      new Option('--timeout <time>', 'Time limit for computing the plan.')
        .default(60_000, '60s')
        .argParser(parseMilliseconds),
    );
  return addTargetOptions(addNamespaceOption(command));
}

/** Appends one value of a repeatable flag. */
function repeated(text: string, before: unknown): readonly unknown[] {
  return [...(Array.isArray(before) ? (before as unknown[]) : []), text];
}

function parseOutcome(text: string, before: unknown): readonly unknown[] {
  if (!outcomesToForbid.some((outcome) => outcome === text))
    throw new InvalidArgumentError(`The value must be one of: ${outcomesToForbid.join(', ')}.`);
  return repeated(text, before);
}
