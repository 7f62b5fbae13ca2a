import { createMachineMigration, createOpenShiftOperator } from '@slipway/openshift';
import { createOperatorControllers, readMountedConfig } from '@slipway/operator';
import { readConnection, type ServerFlags } from '../../connection/index.js';
import { builtinProviders } from '../../providers/builtin-providers.js';
import type { Cargo } from '../../providers/controllers.js';
import { createKindSet } from '../../providers/kinds.js';
import { restrictCargo } from '../../providers/restrict-cargo.js';
import { readOpenShiftReleases } from '../../repositories/openshift-releases.js';
import { slipwayVersion } from '../../version.js';

/** What an OpenShift cluster runs beside Machine API. The controllers of Cluster API come from the folder of releases. */
export async function loadOpenShiftOperator(folder: string, flags: ServerFlags): Promise<Cargo> {
  // The payload says which release of OpenShift this is.
  const { RELEASE_VERSION: version = slipwayVersion } = process.env;
  const assets = await readOpenShiftReleases(folder);
  const { server } = readConnection(flags);
  const providers = createOperatorControllers({ builtin: builtinProviders, readConfig: readMountedConfig });
  // Kinds of OpenShift are its own; those of the provider operator come with us.
  const { sets, kinds } = restrictCargo({ sets: [providers], kinds: createKindSet }, ['capi-operator']);
  return {
    sets: [...sets, createOpenShiftOperator({ version, assets, server }), createMachineMigration({ version })],
    ...(kinds && { kinds }),
  };
}
