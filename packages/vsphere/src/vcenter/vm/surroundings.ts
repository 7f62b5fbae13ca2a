import { isControlPlaneMachine, labels } from '@slipway/cluster-api';
import type { ReconcileContext } from '@slipway/runtime';
import {
  type CallOptions,
  ClusterModules,
  type Finder,
  isA,
  NotFoundInInventory,
  retrieveOne,
  StoragePolicies,
  type VimSession,
} from '../../vim25/index.js';
import type { ClaimedAddress } from '../guest/pool-addresses.js';
import { mergePoolAddresses } from '../guest/pool-addresses.js';
import { networkCards } from '../guest/network-status.js';
import { disksOf } from './clone-devices.js';
import type { VmSurroundings } from './plan-vm.js';
import { failureDomainOf, type VmParents } from './vm-parents.js';
import type { ObservedVm } from './vm-spec.js';
import type { VmState } from './vm-state.js';

export interface SurroundingsInput {
  readonly vm: ObservedVm;
  readonly state: VmState;
  readonly parents: VmParents;
  readonly addresses: ReadonlyMap<number, readonly ClaimedAddress[]> | undefined;
  readonly session: VimSession;
  readonly finder: Finder;
  readonly options: CallOptions;
}

/** Observes the state that the next step depends on besides the VM, as far as the spec and the failure domain name it. */
export async function observeSurroundings(
  context: ReconcileContext,
  input: SurroundingsInput,
): Promise<VmSurroundings> {
  return {
    name: input.vm.metadata.name ?? '',
    pools: poolsOf(input),
    policy: await observePolicy(input),
    group: await observeGroup(context, input),
    module: await observeModule(input),
  };
}

function poolsOf({ vm, state, addresses }: SurroundingsInput): VmSurroundings['pools'] {
  if (addresses === undefined) return undefined;
  const cards = networkCards(state.devices);
  const merged = mergePoolAddresses(
    vm.spec.network.devices.map((device, index) => ({
      index,
      mac: cards[index]?.macAddress ?? '',
      claimed: addresses.get(index) ?? [],
      gateway4: device.gateway4,
      gateway6: device.gateway6,
    })),
  );
  if ('problems' in merged) throw new Error(merged.problems.join('\n'));
  return merged.pools;
}

async function observePolicy({ vm, state, session, options }: SurroundingsInput): Promise<VmSurroundings['policy']> {
  const { storagePolicyName } = vm.spec;
  if (storagePolicyName === undefined || state.powerState !== 'poweredOff') return undefined;
  const policies = new StoragePolicies(session.soap, options);
  const id = await policies.idOf(storagePolicyName);
  const keys = disksOf(state.devices).map(({ key }) => key);
  const current = await policies.ofDisks(state.ref, keys);
  // Disks for which vCenter reports no profiles are skipped.
  return { id, diskKeys: keys.filter((key) => current.has(key) && current.get(key)?.includes(id) !== true) };
}

async function observeGroup(context: ReconcileContext, input: SurroundingsInput): Promise<VmSurroundings['group']> {
  const { parents, session, finder, options } = input;
  const topology = failureDomainOf(context.sources, parents.machine)?.domain.spec.topology;
  const name = topology?.hosts?.vmGroupName;
  if (name === undefined || topology?.computeCluster === undefined) return undefined;
  const cluster = await finder.find('computeCluster', topology.computeCluster);
  const { configurationEx } = await retrieveOne(session.soap, cluster, ['configurationEx'], options);
  const group = configurationEx?.group?.find((one) => one.name === name);
  if (!isA(group, 'ClusterVmGroup')) throw new NotFoundInInventory('VM group', name);
  return { cluster, name, members: group.vm ?? [] };
}

async function observeModule(input: SurroundingsInput): Promise<VmSurroundings['module']> {
  const id = moduleOf(input.parents);
  if (id === undefined) return undefined;
  const members = await new ClusterModules(input.session.rest, input.options).members(id);
  // A module that does not exist is ignored: the VSphereCluster controller creates it again.
  return members === undefined ? undefined : { id, member: members.includes(input.state.ref.value) };
}

/** Returns the cluster module of the machine's control plane or MachineDeployment. */
function moduleOf({ machine, vsphereCluster }: Pick<VmParents, 'machine' | 'vsphereCluster'>): string | undefined {
  if (machine === undefined) return undefined;
  const controlPlane = isControlPlaneMachine(machine);
  const own = machine.metadata.labels ?? {};
  const target = controlPlane ? own[labels.controlPlaneName] : own[labels.deploymentName];
  return vsphereCluster?.spec.clusterModules?.find(
    (module) => module.controlPlane === controlPlane && module.targetObjectName === target,
  )?.moduleUUID;
}
