import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ServerFlags } from '../connection/index.js';
import { addNamespaceOption, addTargetOptions, parseMilliseconds } from './common-options.js';

const outcomesToForbid = ['create', 'replace', 'update', 'delete'] as const;

/** What every command takes that first says what a manifest will do. */
export interface PlanFlags extends ServerFlags {
  readonly dataDir?: string;
  readonly namespace?: string;
  readonly filename: readonly string[];
  readonly forbid: readonly (typeof outcomesToForbid)[number][];
  readonly forceConflicts?: boolean;
  readonly featureGates: string;
  readonly timeout: number;
}

export function addManifestOptions(command: Command): Command {
  command
    .addOption(
      new Option('-f, --filename <file>', 'a file, a directory, or - for standard input; may be repeated')
        .argParser(repeated)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--forbid <outcome>',
        `create, replace, update or delete: end with 7 if a machine would meet it; may be repeated`,
      )
        .argParser(parseOutcome)
        .default([], 'nothing'),
    )
    .option('--force-conflicts', 'also take fields that other programs manage')
    .addOption(
      new Option('--feature-gates <A=true,B=false>', 'features of the controllers that differ there').default(
        '',
        'as they are',
      ),
    )
    .addOption(new Option('--timeout <time>', 'how long to think').default(60_000, '60s').argParser(parseMilliseconds));
  return addTargetOptions(addNamespaceOption(command));
}

/** One more value of a flag that may be given several times. */
function repeated(text: string, before: unknown): readonly unknown[] {
  return [...(Array.isArray(before) ? (before as unknown[]) : []), text];
}

function parseOutcome(text: string, before: unknown): readonly unknown[] {
  if (!outcomesToForbid.some((outcome) => outcome === text))
    throw new InvalidArgumentError(`It is one of ${outcomesToForbid.join(', ')}.`);
  return repeated(text, before);
}
