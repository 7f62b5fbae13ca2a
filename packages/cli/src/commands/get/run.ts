import { ifPresent, secrets } from '@slipway/runtime';
import { type TargetFlags, withTarget } from '../../connection/index.js';
import { CliError } from '../../errors/index.js';

/** Prints what the Secret of a cluster has, as it is. */
export async function getKubeconfig(name: string, flags: TargetFlags): Promise<void> {
  await withTarget(flags, async ({ client, namespace }, signal) => {
    const secret = await ifPresent(client.get(secrets, { namespace, name: `${name}-kubeconfig` }, { signal }));
    const value = secret?.data?.['value'];
    if (secret === undefined)
      throw new CliError(`"${name}-kubeconfig" not found in namespace "${namespace}"`, {
        remedy: `is there such a cluster, and is its control plane up? \`slipway why ${name} -n ${namespace}\``,
      });
    if (value === undefined || value === '')
      throw new CliError(`the Secret ${namespace}/${name}-kubeconfig has no kubeconfig under the key value`, {
        remedy: 'delete the Secret: the control plane provider makes it anew',
      });
    process.stdout.write(`${Buffer.from(value, 'base64').toString('utf8')}\n`);
  });
}
