import { createMachineMigration, createOpenShiftOperator } from '@slipway/openshift';
import { createOperatorControllers, readMountedConfig } from '@slipway/operator';
import { readConnection, type ServerFlags } from '../../connection/index.js';
import { availableProviders } from '../../providers/builtin-providers.js';
import type { ControllerBundle } from '../../providers/controller-bundle.js';
import { createKindSet } from '../../providers/kinds.js';
import { restrictBundle } from '../../providers/restrict-bundle.js';
import { readOpenShiftReleases } from '../../repositories/openshift-releases.js';
import { slipwayVersion } from '../../version.js';

/**
 * Loads the controllers that run in an OpenShift cluster in addition to Machine API. Cluster API comes from the release
 * directory.
 */
export async function loadOpenShiftOperator(folder: string, flags: ServerFlags): Promise<ControllerBundle> {
  // An OpenShift release sets its version in this environment variable.
  const { RELEASE_VERSION: version = slipwayVersion } = process.env;
  const assets = await readOpenShiftReleases(folder);
  const { server } = readConnection(flags);
  const providers = createOperatorControllers({ builtin: availableProviders(), readConfig: readMountedConfig });
  // OpenShift installs its own CRDs; this program installs those of the provider operator.
  const { sets, kinds } = restrictBundle({ sets: [providers], kinds: createKindSet }, ['capi-operator']);
  return {
    sets: [...sets, createOpenShiftOperator({ version, assets, server }), createMachineMigration({ version })],
    ...(kinds && { kinds }),
  };
}
