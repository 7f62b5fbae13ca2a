import { ifPresent, secrets } from '@slipway/runtime';
import { type TargetFlags, withTarget } from '../../connection/index.js';
import { CliError } from '../../errors/index.js';

/** Prints the kubeconfig in the Secret of a cluster unchanged. */
export async function getKubeconfig(name: string, flags: TargetFlags): Promise<void> {
  await withTarget(flags, async ({ client, namespace }, signal) => {
    const secret = await ifPresent(client.get(secrets, { namespace, name: `${name}-kubeconfig` }, { signal }));
    const value = secret?.data?.['value'];
    if (secret === undefined)
      throw new CliError(`Secret "${name}-kubeconfig" not found in namespace "${namespace}"`, {
        remedy: `check that the cluster exists and its control plane is initialized: \`slipway why ${name} -n ${namespace}\``,
      });
    if (value === undefined || value === '')
      throw new CliError(`the Secret ${namespace}/${name}-kubeconfig has no kubeconfig under the key value`, {
        remedy: 'delete the Secret; the control plane provider creates it again',
      });
    process.stdout.write(`${Buffer.from(value, 'base64').toString('utf8')}\n`);
  });
}
