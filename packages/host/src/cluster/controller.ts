import {
  clusters,
  ensureAddressPool,
  infrastructureOfCluster,
  isControlPlaneMachine,
  labels,
  reasons,
} from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type ClusterProgress,
  type ClusterScope,
  type DeletingClusterScope,
  defineInfrastructureCluster,
  type RemovalProgress,
} from '@slipway/provider-kit';
import {
  type Controller,
  type ControllerContext,
  keyOf,
  type ObjectKey,
  type Sources,
  wait,
  watch,
} from '@slipway/runtime';
import {
  type HostCluster,
  hostClusters,
  hostConditions,
  hostFinalizers,
  hostMachines,
  hostReasons,
} from '../api/index.js';
import type { Backend, Engine, NetworkSpec } from '../engine/index.js';
import { overlap } from '../linux/index.js';
import { backendsOf, machinesLeft } from './cluster-machines.js';
import { chooseNetwork, planNetwork } from './network-plan.js';

type Scope = ClusterScope<HostCluster>;
type Progress = ClusterProgress<HostCluster>;

const { networkProvisioned, loadBalancerAvailable } = hostConditions;
const portDefault = 6443;
/** Interval between checks of the load balancer: it is a separate process, and no event reports its exit. */
const checkAgainMs = 10_000;
const checkSoonMs = 500;

/** Reconciles the network of the machines of a cluster and the endpoint of its API servers. */
export function createHostClusterController(
  engine: Engine,
  context: Pick<ControllerContext, 'sources' | 'concurrency' | 'watchFilter'>,
): Controller {
  return defineInfrastructureCluster(
    {
      name: 'hostcluster',
      resource: hostClusters,
      finalizer: hostFinalizers.hostCluster,
      conditions: { provisioned: networkProvisioned, ready: [networkProvisioned, loadBalancerAvailable] },
      watches: [
        // The load balancer forwards to control plane machines. The network is removed after the last machine of any role.
        watch(hostMachines, {
          map: (machine) => clusterOf(context.sources, machine),
          filter: ({ object, type }) => isControlPlaneMachine(object) || type === 'deleted',
        }),
      ],
      ensure: (scope) => provision(scope, engine),
      remove: (scope) => remove(scope, engine),
    },
    context,
  );
}

function clusterOf(sources: Sources, { metadata }: Frozen<KubeObject>): ObjectKey[] {
  const name = metadata.labels?.[labels.clusterName] ?? '';
  const cluster = sources.sourceFor(clusters).get({ namespace: metadata.namespace ?? '', name });
  return cluster === undefined ? [] : infrastructureOfCluster(hostClusters, cluster);
}

async function provision(scope: Scope, engine: Engine): Promise<Progress> {
  const { context, infraCluster: hostCluster } = scope;
  const problems = await engine.problems();
  // No retry: the user must fix these problems and restart Slipway.
  if (problems.length > 0) return withoutNetwork(hostReasons.hostNotSupported, problems.join('; '));
  const network = await networkOf(scope, engine);
  if (typeof network === 'string') return withoutNetwork(hostReasons.networkTaken, network, checkAgainMs);
  const { cidr, endpoint } = network;
  const { machines: addresses, prefix, gateway } = planNetwork(cidr);
  await ensureAddressPool(context, hostCluster, { addresses: [addresses], prefix, gateway });
  const silentLog = await ensureNetwork(scope, engine, network);
  const isSilent = silentLog !== undefined;
  return {
    isProvisioned: !isSilent,
    endpoint,
    conditions: [
      { type: networkProvisioned, status: 'True', reason: reasons.provisioned },
      isSilent
        ? {
            type: loadBalancerAvailable,
            status: 'False',
            reason: hostReasons.balancerSilent,
            message: `the load balancer does not respond: see ${silentLog}`,
          }
        : { type: loadBalancerAvailable, status: 'True', reason: reasons.provisioned },
    ],
    apply(draft) {
      draft.spec ??= {};
      draft.spec.network = { cidr };
    },
    outcome: isSilent
      ? wait({
          ms: checkSoonMs,
          reason: hostReasons.balancerSilent,
          message: 'Waiting for the load balancer to respond',
        })
      : wait({
          ms: checkAgainMs,
          reason: 'Watching',
          message: 'Checking periodically that the load balancer is running',
        }),
  };
}

function withoutNetwork(reason: string, message: string, ms?: number): Progress {
  return {
    isProvisioned: false,
    conditions: [{ type: networkProvisioned, status: 'False', reason, message }],
    outcome: wait({ ...(ms !== undefined && { ms }), reason, message }),
  };
}

/** Creates the network. Returns the log file of a load balancer that does not respond, or undefined if it responds. */
async function ensureNetwork(
  { context, infraCluster: hostCluster }: Scope,
  engine: Engine,
  network: NetworkSpec,
): Promise<string | undefined> {
  const backends: readonly Backend[] = backendsOf(context.sources, hostCluster, network.endpoint.port);
  const state = await engine.networkState(network, backends);
  if (state.isCurrent) return state.silentLog;
  await context.change({
    verb: 'call',
    resource: hostClusters,
    key: keyOf(hostCluster),
    action: 'ensure network',
    reason: 'Provisioning',
    message: `Setting up network ${network.cidr} with a load balancer for ${backends.length} API servers`,
    run: () => engine.ensureNetwork(network, backends),
    assume: () => undefined,
  });
  return (await engine.networkState(network, backends)).silentLog;
}

async function remove(
  { context, infraCluster: hostCluster }: DeletingClusterScope<HostCluster>,
  engine: Engine,
): Promise<RemovalProgress<HostCluster> | undefined> {
  const [left] = machinesLeft(context.sources, hostCluster);
  if (left !== undefined) {
    const waiting = { reason: hostReasons.waitingForMachine, message: `Waiting for HostMachine ${left} to be deleted` };
    return { ...waiting, outcome: wait(waiting) };
  }
  const { uid = '' } = hostCluster.metadata;
  if (await engine.hasNetwork(uid))
    await context.change({
      verb: 'call',
      resource: hostClusters,
      key: keyOf(hostCluster),
      action: 'remove network',
      reason: reasons.deleting,
      message: 'Removing the network and its load balancer',
      run: () => engine.removeNetwork(uid),
      assume: () => undefined,
    });
  return undefined;
}

/** Returns the desired network, or the reason why it cannot be used. */
async function networkOf({ context, infraCluster }: Scope, engine: Engine): Promise<NetworkSpec | string> {
  const { uid: id = '' } = infraCluster.metadata;
  const { network: given, controlPlaneEndpoint: desired } = infraCluster.spec ?? {};
  const specOf = (cidr: string): NetworkSpec => {
    const plan = planNetwork(cidr);
    const endpoint = { host: desired?.host ?? plan.endpoint, port: desired?.port ?? portDefault };
    return { id, cidr, gateway: plan.gateway, endpoint };
  };
  const routeInto = (cidr: string): Promise<string | undefined> => engine.conflictingRoute(specOf(cidr));
  const cidr = given?.cidr ?? (await chooseCidr(context.sources, infraCluster, routeInto));
  if (cidr === undefined) return 'no network in 10.231.0.0/16 is free: set spec.network.cidr';
  const route = await routeInto(cidr);
  return route === undefined
    ? specOf(cidr)
    : `this host already has a route into ${cidr} (${route}): set spec.network.cidr`;
}

/** Returns a network that neither another cluster nor this host uses. */
async function chooseCidr(
  sources: Sources,
  hostCluster: Frozen<HostCluster>,
  routeInto: (cidr: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  // Listing all clusters is cheap: this runs once per cluster, and a host has few of them.
  const taken = [...sources.sourceFor(hostClusters).list()]
    .filter(({ metadata }) => metadata.uid !== hostCluster.metadata.uid)
    .flatMap(({ spec }) => spec?.network?.cidr ?? []);
  for (;;) {
    const cidr = chooseNetwork((free) => !taken.some((other) => overlap(free, other)));
    if (cidr === undefined || (await routeInto(cidr)) === undefined) return cidr;
    taken.push(cidr);
  }
}
