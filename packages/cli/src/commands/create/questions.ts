import { cancel, isCancel, log, password, select, text } from '@clack/prompts';
import { CliError, exitCodes } from '../../errors/index.js';
import type { CreateClusterFlags } from './command.js';
import type { Answers } from './run.js';

/** Facts that the questions depend on. */
export interface QuestionFacts {
  /** Infrastructure providers to choose from. Empty for a custom template. */
  readonly infrastructures: readonly string[];
  /** Returns the value of a variable from the environment or clusterctl.yaml. */
  readonly valueOf: (variable: string) => string | undefined;
  readonly nameProblem: (name: string) => string | undefined;
  readonly versionProblem: (version: string) => string | undefined;
}

const defaults = { name: 'demo', version: 'v1.35.0', controlPlane: '1', worker: '2' };

/** Asks one question for each missing value, each with a default that Enter accepts. */
export async function ask(name: string | undefined, flags: CreateClusterFlags, facts: QuestionFacts): Promise<Answers> {
  const chosen = name ?? (await askText('Name of the cluster', defaults.name, facts.nameProblem));
  const infrastructure = flags.infrastructure ?? (await askInfrastructure(facts.infrastructures));
  const kubernetesVersion =
    flags.kubernetesVersion ??
    facts.valueOf('KUBERNETES_VERSION') ??
    (await askText('Kubernetes version', defaults.version, facts.versionProblem));
  const count = async (variable: string, question: string, fallback: string, least: number): Promise<number> =>
    Number(facts.valueOf(variable) ?? (await askText(question, fallback, (value) => countProblem(value, least))));
  const controlPlaneMachineCount =
    flags.controlPlaneMachineCount ??
    (await count('CONTROL_PLANE_MACHINE_COUNT', 'Number of control plane machines', defaults.controlPlane, 1));
  const workerMachineCount =
    flags.workerMachineCount ?? (await count('WORKER_MACHINE_COUNT', 'Number of worker machines', defaults.worker, 0));
  return {
    name: chosen,
    flags: {
      ...flags,
      ...(infrastructure !== undefined && { infrastructure }),
      kubernetesVersion,
      controlPlaneMachineCount,
      workerMachineCount,
    },
  };
}

/** Asks for the variables of a template that have neither a value nor a default. Secrets are not echoed. */
export async function askVariables(variables: readonly string[]): Promise<ReadonlyMap<string, string>> {
  log.info(
    `The template needs ${variables.length} more values. Set them in the environment or clusterctl.yaml to skip the questions.`,
  );
  const values = new Map<string, string>();
  for (const [index, variable] of variables.entries()) {
    const message = `${variable} (${index + 1} of ${variables.length})`;
    const validate = (value: string | undefined): string | undefined => variableProblem(value ?? '');
    const answer = isSecret(variable) ? await password({ message, validate }) : await text({ message, validate });
    values.set(variable, answered(answer));
  }
  return values;
}

/**
 * Returns why a value of a variable is not valid: without a default it must not be empty, and a line break would end its line of
 * YAML.
 */
export function variableProblem(value: string): string | undefined {
  if (value.trim() === '') return 'a value is required; Ctrl-C cancels';
  return /[\r\n]/.test(value) ? 'the value must be a single line' : undefined;
}

export function isSecret(variable: string): boolean {
  return /PASSWORD|SECRET|TOKEN|PRIVATE_KEY/.test(variable);
}

async function askText(
  message: string,
  defaultValue: string,
  problemOf: (value: string) => string | undefined,
): Promise<string> {
  // Enter on an empty line accepts the default, which is valid.
  const validate = (value: string | undefined): string | undefined =>
    value === undefined || value === '' ? undefined : problemOf(value);
  return answered(await text({ message, placeholder: defaultValue, defaultValue, validate }));
}

async function askInfrastructure(names: readonly string[]): Promise<string | undefined> {
  if (names.length < 2) return names[0];
  return answered(
    await select({ message: 'Infrastructure provider', options: names.map((value) => ({ value, label: value })) }),
  );
}

function answered(answer: string | symbol): string {
  if (!isCancel(answer)) return answer as string;
  cancel('Cancelled. Nothing was created.');
  throw new CliError('cancelled', { exitCode: exitCodes.interrupted });
}

function countProblem(value: string, least: number): string | undefined {
  return /^\d{1,4}$/.test(value) && Number(value) >= least ? undefined : `enter a whole number, ${least} or greater`;
}
