import { cancel, isCancel, select, text } from '@clack/prompts';
import { CliError, exitCodes } from '../../errors/index.js';
import type { CreateClusterFlags } from './command.js';
import type { Answers } from './run.js';

/** What the questions need to know. */
export interface QuestionFacts {
  /** To choose from; none when the template is the user's own. */
  readonly infrastructures: readonly string[];
  /** What the environment and clusterctl.yaml say already. */
  readonly valueOf: (variable: string) => string | undefined;
  readonly nameProblem: (name: string) => string | undefined;
  readonly versionProblem: (version: string) => string | undefined;
}

const defaults = { name: 'demo', version: 'v1.35.0', controlPlane: '1', worker: '2' };

/** One question for each thing that nobody has said, each with an answer to take by Enter. */
export async function ask(name: string | undefined, flags: CreateClusterFlags, facts: QuestionFacts): Promise<Answers> {
  const chosen = name ?? (await askText('What is the cluster to be called?', defaults.name, facts.nameProblem));
  const infrastructure = flags.infrastructure ?? (await askInfrastructure(facts.infrastructures));
  const kubernetesVersion =
    flags.kubernetesVersion ??
    facts.valueOf('KUBERNETES_VERSION') ??
    (await askText('Which version of Kubernetes?', defaults.version, facts.versionProblem));
  const count = async (variable: string, question: string, fallback: string, least: number): Promise<number> =>
    Number(facts.valueOf(variable) ?? (await askText(question, fallback, (value) => countProblem(value, least))));
  const controlPlaneMachineCount =
    flags.controlPlaneMachineCount ??
    (await count('CONTROL_PLANE_MACHINE_COUNT', 'How many control-plane machines?', defaults.controlPlane, 1));
  const workerMachineCount =
    flags.workerMachineCount ?? (await count('WORKER_MACHINE_COUNT', 'How many worker machines?', defaults.worker, 0));
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

async function askText(
  message: string,
  defaultValue: string,
  problemOf: (value: string) => string | undefined,
): Promise<string> {
  // Enter on the empty line takes the default, which needs no judgement.
  const validate = (value: string | undefined): string | undefined =>
    value === undefined || value === '' ? undefined : problemOf(value);
  return answered(await text({ message, placeholder: defaultValue, defaultValue, validate }));
}

async function askInfrastructure(names: readonly string[]): Promise<string | undefined> {
  if (names.length < 2) return names[0];
  return answered(
    await select({ message: 'On which infrastructure?', options: names.map((value) => ({ value, label: value })) }),
  );
}

function answered(answer: string | symbol): string {
  if (!isCancel(answer)) return answer as string;
  cancel('Nothing was made.');
  throw new CliError('cancelled', { exitCode: exitCodes.interrupted });
}

function countProblem(value: string, least: number): string | undefined {
  return /^\d{1,4}$/.test(value) && Number(value) >= least ? undefined : `a whole number, ${least} or more`;
}
