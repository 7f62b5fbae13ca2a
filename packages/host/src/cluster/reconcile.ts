import { ensureAddressPool, ownerClusterOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  done,
  edit,
  isDeleting,
  type ObjectKey,
  openReconcile,
  type Outcome,
  patchObject,
  type ReconcileContext,
  releaseFinalizer,
  wait,
} from '@slipway/runtime';
import { type HostCluster, hostClusters, hostConditions, hostFinalizers, hostReasons } from '../api/index.js';
import type { Engine, NetworkSpec } from '../engine/index.js';
import { HostReport } from '../report/index.js';
import { backendsOf, machinesLeft } from './cluster-machines.js';
import { chooseCidr } from './choose-cidr.js';
import { planNetwork } from './network-plan.js';

type Observed = Frozen<HostCluster>;

const { networkProvisioned, loadBalancerAvailable } = hostConditions;
const conditionTypes = [networkProvisioned, loadBalancerAvailable];
const portDefault = 6443;

/** The link between the machines of a cluster, and the one address at which their API servers answer. */
export async function reconcileHostCluster(
  key: ObjectKey,
  context: ReconcileContext,
  engine: Engine,
): Promise<Outcome> {
  const hostCluster = context.sources.sourceFor(hostClusters).get(key);
  if (hostCluster === undefined) return done();
  const cluster = ownerClusterOf(context.sources, hostCluster);
  if (cluster === undefined && !isDeleting(hostCluster))
    return wait({ reason: 'WaitingForOwner', message: 'no Cluster owns this HostCluster yet' });
  const opened = { finalizer: hostFinalizers.hostCluster, cluster };
  if (!(await openReconcile(context, hostClusters, hostCluster, opened))) return done();
  return isDeleting(hostCluster) ? remove(hostCluster, context, engine) : provision(hostCluster, context, engine);
}

async function remove(hostCluster: Observed, context: ReconcileContext, engine: Engine): Promise<Outcome> {
  const left = machinesLeft(context.sources, hostCluster);
  if (left.length > 0)
    return wait({
      reason: hostReasons.waitingForMachine,
      message: `HostMachine ${left[0] ?? ''} is still on the link`,
    });
  await engine.removeNetwork(hostCluster.metadata.uid ?? '');
  await releaseFinalizer(context, hostClusters, hostCluster, hostFinalizers.hostCluster);
  return done();
}

/** The balancer is a process of its own that nobody tells us the end of. */
const lookAgainMs = 10_000;
const lookSoonMs = 500;

async function provision(hostCluster: Observed, context: ReconcileContext, engine: Engine): Promise<Outcome> {
  const report = new HostReport(conditionTypes, context.clock.now());
  const problems = await engine.problems();
  if (problems.length > 0) {
    const message = problems.join('; ');
    report.fails(networkProvisioned, hostReasons.hostNotSupported, message);
    await write(context, hostCluster, report.applyTo(hostCluster));
    // Only the user can help, and then starts Slipway anew.
    return wait({ reason: hostReasons.hostNotSupported, message });
  }
  const network = await networkOf(hostCluster, context, engine);
  if (typeof network === 'string') {
    report.fails(networkProvisioned, hostReasons.networkTaken, network);
    await write(context, hostCluster, report.applyTo(hostCluster));
    return wait({ ms: lookAgainMs, reason: hostReasons.networkTaken, message: network });
  }
  const { machines: addresses, prefix, gateway } = planNetwork(network.cidr);
  await ensureAddressPool(context, hostCluster, { addresses: [addresses], prefix, gateway });
  const backends = backendsOf(context.sources, hostCluster, network.endpoint.port);
  const silentLog = await engine.ensureNetwork(network, backends);
  report.holds(networkProvisioned);
  if (silentLog === undefined) report.holds(loadBalancerAvailable);
  else
    report.fails(loadBalancerAvailable, hostReasons.balancerSilent, `the balancer does not answer: see ${silentLog}`);
  await write(context, hostCluster, report.applyTo(withFacts(hostCluster, network, silentLog === undefined)));
  return silentLog === undefined
    ? wait({ ms: lookAgainMs, reason: 'Watching', message: 'looks whether the balancer still runs' })
    : wait({ ms: lookSoonMs, reason: hostReasons.balancerSilent, message: 'the balancer does not answer yet' });
}

/** What is known of the cluster once its link is there. It was provisioned if it ever was. */
function withFacts(hostCluster: Observed, { cidr, endpoint }: NetworkSpec, answers: boolean): Observed {
  return edit(hostCluster, (draft) => {
    draft.spec ??= {};
    draft.spec.network = { cidr };
    draft.spec.controlPlaneEndpoint = { ...endpoint };
    if (!answers) return;
    draft.status ??= {};
    draft.status.initialization = { provisioned: true };
  });
}

/** The network as it is to be, or why it cannot be. */
async function networkOf(
  hostCluster: Observed,
  { sources }: ReconcileContext,
  engine: Engine,
): Promise<NetworkSpec | string> {
  const { uid: id = '' } = hostCluster.metadata;
  const { network: given, controlPlaneEndpoint: wanted } = hostCluster.spec ?? {};
  const specOf = (cidr: string): NetworkSpec => {
    const plan = planNetwork(cidr);
    const endpoint = { host: wanted?.host ?? plan.endpoint, port: wanted?.port ?? portDefault };
    return { id, cidr, gateway: plan.gateway, endpoint };
  };
  const cidr = given?.cidr ?? (await chooseCidr(sources, hostCluster, (free) => engine.conflictingRoute(specOf(free))));
  if (cidr === undefined) return 'no network in 10.231.0.0/16 is free: set spec.network.cidr';
  const spec = specOf(cidr);
  const route = await engine.conflictingRoute(spec);
  return route === undefined
    ? spec
    : `this computer already has a route into ${cidr} (${route}): set spec.network.cidr`;
}

async function write({ client, signal }: ReconcileContext, before: Observed, after: Observed): Promise<void> {
  const ownedConditions = [hostConditions.ready, ...conditionTypes];
  await patchObject(client, hostClusters, before, after, { ownedConditions, signal });
}
