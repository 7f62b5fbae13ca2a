import type { Random } from '@slipway/base';
import { isUuid } from '@slipway/kube';
import {
  type CallOptions,
  type Data,
  Finder,
  findNetwork,
  findSnapshot,
  isA,
  isNamed,
  make,
  NotFoundInInventory,
  type ObjectRef,
  parseReference,
  type Properties,
  retrieveAll,
  retrieveOne,
  StoragePolicies,
  type VimSession,
} from '../../vim25/index.js';
import type { ClonePlacement } from './clone-plan.js';
import type { VmSpec } from './vm-spec.js';

export interface PlacementDependencies {
  readonly session: VimSession;
  readonly finder: Finder;
  readonly random: Random;
  readonly options: CallOptions;
}

/** Looks up the inventory objects that a spec names. */
export async function resolvePlacement(spec: VmSpec, dependencies: PlacementDependencies): Promise<ClonePlacement> {
  const { finder } = dependencies;
  const { template, values } = await readTemplate(spec.template, dependencies);
  const pool =
    spec.resourcePool === undefined
      ? await finder.findDefault('resourcePool', '*/Resources')
      : await finder.find('resourcePool', spec.resourcePool);
  return {
    template,
    templateDevices: values['config.hardware.device'] ?? [],
    snapshot: chooseSnapshot(spec, values.snapshot),
    folder:
      spec.folder === undefined ? await finder.typedFolder('virtualMachine') : await finder.find('folder', spec.folder),
    pool,
    datastore: await chooseDatastore(spec, pool, dependencies),
    backings: await networkBackings(spec, dependencies),
    ...(await encryptionOf(spec, dependencies)),
  };
}

const templatePaths = ['name', 'config.hardware.device', 'snapshot'] as const;

/** Reads the template. A cached lookup is repeated if it is outdated: a new template can have the name of the old one. */
async function readTemplate(
  desired: string,
  { session, finder, options }: PlacementDependencies,
): Promise<{ readonly template: ObjectRef; readonly values: Properties<(typeof templatePaths)[number]> }> {
  const read = async () => {
    const template = await findTemplate(desired, finder);
    return { template, values: await retrieveOne(session.soap, template, templatePaths, options) };
  };
  const found = await read();
  if (isUuid(desired) || parseReference(desired) !== undefined || isNamed(desired, found.values.name ?? ''))
    return found;
  session.names.forget();
  return read();
}

async function findTemplate(desired: string, finder: Finder): Promise<ObjectRef> {
  const byUuid = isUuid(desired) ? await finder.byUuid(desired, 'instance') : undefined;
  return byUuid ?? finder.find('virtualMachine', desired);
}

/**
 * Returns the snapshot of a linked clone. Without a usable snapshot the clone is a full clone, as in upstream, and
 * status.cloneMode reports it.
 */
function chooseSnapshot(
  { cloneMode, snapshot }: VmSpec,
  info: Data<'VirtualMachineSnapshotInfo'> | undefined,
): ObjectRef | undefined {
  if (cloneMode === 'fullClone') return undefined;
  if (snapshot === undefined) return info?.currentSnapshot;
  try {
    return findSnapshot(info, snapshot);
  } catch (error) {
    if (error instanceof NotFoundInInventory) return undefined;
    throw error;
  }
}

async function chooseDatastore(spec: VmSpec, pool: ObjectRef, dependencies: PlacementDependencies): Promise<ObjectRef> {
  const { session, finder, options, random } = dependencies;
  const named = spec.datastore === undefined ? undefined : await finder.find('datastore', spec.datastore);
  if (spec.storagePolicyName === undefined) return named ?? finder.findDefault('datastore', '*');
  const policies = new StoragePolicies(session.soap, options);
  const policy = await policies.idOf(spec.storagePolicyName);
  const candidates = named === undefined ? await datastoresOf(pool, dependencies) : [named];
  const compatible = await policies.compatible(policy, candidates);
  const chosen = compatible[Math.floor(random.next() * compatible.length)];
  if (chosen !== undefined) return chosen;
  throw new NotFoundInInventory(
    'datastore',
    spec.storagePolicyName,
    `no compatible datastores found for storage policy: ${spec.storagePolicyName}`,
  );
}

/** Returns the datastores that the hosts of a resource pool can access, without those in maintenance mode. */
async function datastoresOf(pool: ObjectRef, { session, options }: PlacementDependencies): Promise<ObjectRef[]> {
  const { owner } = await retrieveOne(session.soap, pool, ['owner'], options);
  if (owner === undefined) return [];
  const { datastore = [] } = await retrieveOne(session.soap, owner, ['datastore'], options);
  const found = await retrieveAll(session.soap, datastore, ['summary'], options);
  return found
    .filter(({ values }) => (values.summary as Data<'DatastoreSummary'> | undefined)?.maintenanceMode === 'normal')
    .map(({ ref }) => ref);
}

async function networkBackings(
  spec: VmSpec,
  dependencies: PlacementDependencies,
): Promise<Data<'VirtualDeviceBackingInfo'>[]> {
  const backings: Data<'VirtualDeviceBackingInfo'>[] = [];
  for (const { networkName } of spec.network.devices) {
    const network = await findNetwork(
      dependencies.session.soap,
      dependencies.finder,
      networkName,
      dependencies.options,
    );
    backings.push(
      await dependencies.session.names.recall(`backing\n${network.value}`, () => backingOf(network, dependencies)),
    );
  }
  return backings;
}

async function backingOf(
  network: ObjectRef,
  { session, options }: PlacementDependencies,
): Promise<Data<'VirtualDeviceBackingInfo'>> {
  if (network.type === 'DistributedVirtualPortgroup') {
    const paths = ['key', 'config.distributedVirtualSwitch'] as const;
    const portgroup = await retrieveOne(session.soap, network, paths, options);
    const vswitch = portgroup['config.distributedVirtualSwitch'];
    const uuid = vswitch && (await retrieveOne(session.soap, vswitch, ['uuid'], options)).uuid;
    if (uuid === undefined) {
      throw new Error(
        `failed to read the distributed switch of ${network.value}; grant System.Read on the switch to the user`,
      );
    }
    const port = { switchUuid: uuid, portgroupKey: portgroup.key };
    return make('VirtualEthernetCardDistributedVirtualPortBackingInfo', { port });
  }
  if (network.type === 'OpaqueNetwork') {
    const { summary } = await retrieveOne(session.soap, network, ['summary'], options);
    if (!isA(summary, 'OpaqueNetworkSummary')) throw new Error(`opaque network ${network.value} has no summary`);
    const { opaqueNetworkId, opaqueNetworkType } = summary;
    return make('VirtualEthernetCardOpaqueNetworkBackingInfo', { opaqueNetworkId, opaqueNetworkType });
  }
  const { name = '' } = await retrieveOne(session.soap, network, ['name'], options);
  return make('VirtualEthernetCardNetworkBackingInfo', { deviceName: name });
}

async function encryptionOf(
  spec: VmSpec,
  { session, options }: PlacementDependencies,
): Promise<Pick<ClonePlacement, 'cryptoProfileId' | 'cryptoKey'>> {
  const policies = new StoragePolicies(session.soap, options);
  const cryptoProfileId = spec.cryptoProfile === undefined ? undefined : await policies.idOf(spec.cryptoProfile);
  if (spec.cryptoKeyID === undefined) return { cryptoProfileId };
  const { cryptoManager } = await session.soap.content(options);
  if (cryptoManager === undefined) throw new Error('vCenter has no key management (CryptoManager)');
  const result = await session.soap.call(
    'GenerateKey',
    cryptoManager,
    { keyProvider: { id: spec.cryptoKeyID } },
    options,
  );
  if (!result.success)
    throw new Error(`key provider ${spec.cryptoKeyID} failed to generate a key: ${result.reason ?? ''}`);
  return { cryptoProfileId, cryptoKey: result.keyId };
}
