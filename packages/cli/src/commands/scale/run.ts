import { isReason } from '@slipway/kube';
import { parseObjectArguments } from '../../clusters/object-arguments.js';
import { findServed, objectName, type ServedResource, servedResources } from '../../clusters/served-resources.js';
import { type Target, withTarget } from '../../connection/index.js';
import { CliError, exitCodes } from '../../errors/index.js';
import type { ScaleOptions } from './command.js';

/** Sets the replicas through the scale subresource. */
export async function scale(args: readonly string[], { replicas, ...flags }: ScaleOptions): Promise<void> {
  const objects = parseObjectArguments(args);
  await withTarget(flags, async (target, signal) => {
    const served = await servedResources(target.client, signal);
    for (const { type, name } of objects) {
      if (name === undefined)
        throw new CliError(`"${type}" does not name an object`, {
          remedy: 'write TYPE/NAME, such as machinedeployment/demo-workers',
          exitCode: exitCodes.usage,
        });
      const [resource] = findServed(served, type);
      if (resource === undefined || !resource.subresources.includes('scale')) throw notScalable(type, name);
      await scaleOne(target, resource, name, replicas, signal);
    }
  });
}

async function scaleOne(
  { client, namespace }: Target,
  resource: ServedResource,
  name: string,
  replicas: number,
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace: resource.namespaced ? namespace : '', name };
  try {
    const body = { type: 'merge', patch: { spec: { replicas } } } as const;
    await client.patch(resource, key, body, { subresource: 'scale', signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    throw new CliError(`${resource.kind} ${name} not found in namespace ${namespace}`, {
      remedy: `list the objects: \`slipway get ${resource.plural} -A\`; select a namespace with -n`,
      cause: error,
    });
  }
  process.stdout.write(`${objectName(resource, name)} scaled\n`);
}

function notScalable(type: string, name: string): CliError {
  const remedy = /^cl(uster)?s?$/i.test(type)
    ? `scale its MachineDeployments: \`slipway get md -l cluster.x-k8s.io/cluster-name=${name}\` lists them`
    : 'scale a MachineDeployment, MachineSet, MachinePool or KubeadmControlPlane';
  return new CliError(`${type}/${name} cannot be scaled: the type has no scale subresource`, {
    remedy,
    exitCode: exitCodes.usage,
  });
}
