import { generateCluster as generate } from '@slipway/clusterctl';
import { templateSource, withRepositories } from '../../repositories/index.js';
import type { GenerateClusterFlags } from './command.js';
import { printValue } from '../../output/index.js';
import { printObjects } from '../../output/print-objects.js';
import { variablesText, variablesWithValues } from './text.js';

/** Prints the objects of a new cluster, or what its template asks for. */
export async function generateCluster(name: string, flags: GenerateClusterFlags): Promise<void> {
  await withRepositories(flags, async (world) => {
    const { targetNamespace, kubernetesVersion, controlPlaneMachineCount, workerMachineCount } = flags;
    const variablesOnly = flags.listVariables ?? false;
    const source = await templateSource(flags);
    const generated = await generate(
      { name, targetNamespace, kubernetesVersion, controlPlaneMachineCount, workerMachineCount, source, variablesOnly },
      world,
    );
    if (!variablesOnly) return printObjects(generated.objects, flags.output, flags.writeTo);
    const variables = variablesWithValues(generated.variables, world.config.lookup);
    return printValue(variables, flags.output, () => variablesText(variables));
  });
}
