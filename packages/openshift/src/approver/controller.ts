import { formatTime, type Frozen, isReason } from '@slipway/kube';
import {
  addSampledMetric,
  type CertificateSigningRequest,
  certificateSigningRequests,
  type ConfigMap,
  configMaps,
  type Controller,
  type ControllerContext,
  type ControllerSet,
  createController,
  done,
  InformerFactory,
  keyOf,
  type Node,
  type ObjectKey,
  type Outcome,
  type Reader,
  type ReconcileContext,
  type ReplaceChange,
  retry,
  type Trigger,
  wait,
} from '@slipway/runtime';
import { ApproverMetrics } from './approver-metrics.js';
import { type ApprovalFacts, decide } from './decide.js';
import { isDecided, isPending } from './event-filter.js';
import { createKubeletProbe, type KubeletProbe } from './kubelet-probe.js';
import { approval, kubeletAuthority, nodeUserPrefix, signers } from './names.js';
import { findEgress, findKubelet, listMachines, listNodes, type MachineApi } from './observe.js';
import { pendingLimit } from './pending-limit.js';
import type { Verdict } from './verdict.js';

type Request = Frozen<CertificateSigningRequest>;
type Approval = Extract<Verdict, { type: 'approve' }>;

export interface ApproverOptions {
  readonly name?: string;
  readonly apis: readonly MachineApi[];
  /** Reader for Machines in another cluster than that of the requests (hub and spoke). */
  readonly machineReader?: Reader;
  /** Namespace of Machines. Empty for all namespaces. */
  readonly machineNamespace?: string;
  readonly clientFlowDisabled?: boolean;
  readonly concurrency?: number;
  /** Reads the serving certificate of a kubelet. Defaults to a TLS connection to the kubelet. */
  readonly probe?: KubeletProbe;
}

const concurrencyDefault = 10;
const signerIndex = { name: 'signerName', valuesOf: ({ spec }: Request) => [spec.signerName] };

/** Approves certificate signing requests of kubelets of known Machines. It never denies a request. */
export function createApprover(options: ApproverOptions): ControllerSet {
  const metrics = new ApproverMetrics();
  const name = options.name ?? 'machineapprover';
  return {
    name,
    controllers: [
      {
        name,
        concurrencyDefault: options.concurrency ?? concurrencyDefault,
        create: (context) => createApproverController(name, options, metrics, context),
      },
    ],
  };
}

function createApproverController(
  name: string,
  options: ApproverOptions,
  metrics: ApproverMetrics,
  context: ControllerContext,
): Controller {
  const { clock, concurrency } = context;
  for (const metric of metrics.sampled()) addSampledMetric(context.metrics, metric);
  const approver: Approver = { options, metrics, probe: options.probe ?? createKubeletProbe(clock), flood: undefined };
  return createController({
    name,
    for: certificateSigningRequests,
    // Deletions matter too, because they reduce the number of pending requests.
    filter: ({ object }) => isPending(object, clock.now()),
    triggers: [authorityTrigger(context)],
    concurrency,
    reconcile: (key, run) => reconcile(approver, key, run),
  });
}

/** Enqueues requests when the kubelet serving CA changes, because rejected renewals may become valid. */
function authorityTrigger({ client, clock, random, sources }: ControllerContext): Trigger {
  return (enqueue) => {
    const { namespace, name, dataKey } = kubeletAuthority;
    const factory = new InformerFactory({ client, clock, random });
    const informer = factory.informer(configMaps, { namespace, fieldSelector: `metadata.name=${name}` });
    let known: string | undefined;
    const onBundle = ({ data }: Frozen<ConfigMap>): void => {
      const bundle = data?.[dataKey];
      if (bundle === known) return;
      known = bundle;
      for (const request of sources.sourceFor(certificateSigningRequests).byIndex(signerIndex, signers.kubeletServing))
        if (!isDecided(request)) enqueue(keyOf(request));
    };
    informer.addHandler({ added: onBundle, updated: onBundle });
    return factory;
  };
}

interface Approver {
  readonly options: ApproverOptions;
  readonly metrics: ApproverMetrics;
  readonly probe: KubeletProbe;
  /** Numbers of Machines and Nodes when the pending limit was exceeded. Undefined while it is not exceeded. */
  flood: { readonly machines: number; readonly nodes: number } | undefined;
}

async function reconcile(approver: Approver, key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const { options, metrics, probe } = approver;
  const { read, sources, clock, logger, events, signal } = context;
  const source = sources.sourceFor(certificateSigningRequests);
  const known = Object.values(signers).flatMap((signer) => source.byIndex(signerIndex, signer));
  const request = source.get(key);
  if (request === undefined) return ebb(approver, known, context);
  const { apis, machineReader = read, machineNamespace = '', clientFlowDisabled = false } = options;
  const machines = await listMachines(machineReader, apis, machineNamespace, signal);
  const nodes = await listNodes(read, signal);
  const counts = { machines: machines.length, nodes: nodes.length };
  const limit = pendingLimit(known, counts, clock.now());
  metrics.sawLimit(limit);
  approver.flood = limit.isExceeded ? counts : undefined;
  if (isDecided(request)) return done();
  if (limit.isExceeded) {
    logger.warn(
      { pending: limit.pending, max: limit.max },
      'Too many pending certificate signing requests: none is approved',
    );
    const message = `${limit.pending} requests are pending, more than ${limit.max}: find the client that creates these requests, then delete the requests`;
    return wait({ ms: Math.max(limit.recoversInMs, 1), reason: 'TooManyPendingRequests', message });
  }
  const facts = { machines, nodeNames: new Set(nodes.map(({ metadata }) => metadata.name ?? '')), clientFlowDisabled };
  const verdict = await decideRequest(request, facts, nodes, { read, probe, signal });
  metrics.decided(verdict);
  if (verdict.type === 'approve') {
    await approveRequest(request, verdict, context);
    metrics.sawLimit(
      pendingLimit(
        known.filter((one) => one !== request),
        counts,
        clock.now(),
      ),
    );
    return done();
  }
  const { reason, message } = verdict;
  events.record(request, { type: 'Warning', reason, action: 'Judging', message });
  return verdict.type === 'ignore' ? done() : retry(new Error(message));
}

/** Handles the deletion of a request. Enqueues the blocked requests if the pending limit is no longer exceeded. */
function ebb(approver: Approver, known: readonly Request[], { clock, enqueue }: ReconcileContext): Outcome {
  const { flood, metrics } = approver;
  if (flood === undefined) return done();
  const limit = pendingLimit(known, flood, clock.now());
  metrics.sawLimit(limit);
  if (limit.isExceeded) return done();
  approver.flood = undefined;
  for (const waiting of known) if (!isDecided(waiting)) enqueue(keyOf(waiting));
  return done();
}

interface Peers {
  readonly read: Reader;
  readonly probe: KubeletProbe;
  readonly signal: AbortSignal;
}

/** Decides about a request. Connects to the kubelet only if the Machine does not confirm the request. */
async function decideRequest(
  request: Request,
  facts: ApprovalFacts,
  nodes: readonly Frozen<Node>[],
  { read, probe, signal }: Peers,
): Promise<Verdict> {
  const verdict = decide(request, facts);
  if (verdict.type !== 'retry' || request.spec.signerName !== signers.kubeletServing) return verdict;
  const nodeName = (request.spec.username ?? '').slice(nodeUserPrefix.length);
  const node = nodes.find(({ metadata }) => metadata.name === nodeName);
  const kubelet = await findKubelet(read, node, signal);
  if (kubelet === undefined) return verdict;
  const served = await probe(kubelet, signal);
  if (served === undefined) return verdict;
  return decide(request, { ...facts, served, egress: await findEgress(read, nodeName, signal) });
}

async function approveRequest(request: Request, verdict: Approval, context: ReconcileContext): Promise<void> {
  try {
    await context.change(approvalChange(request, verdict, context.clock.now()));
  } catch (error) {
    if (!isReason(error, 'Conflict')) throw error;
    // After a conflict, another approver may have approved the request. Otherwise the decision is repeated.
    const latest = await context.read.get(certificateSigningRequests, keyOf(request), { signal: context.signal });
    if (!isDecided(latest)) throw error;
  }
}

function approvalChange(
  request: Request,
  { flow, path }: Approval,
  nowMs: number,
): ReplaceChange<CertificateSigningRequest> {
  const now = formatTime(nowMs);
  const condition = { type: 'Approved', status: 'True', ...approval, lastUpdateTime: now, lastTransitionTime: now };
  const conditions = [...(request.status?.conditions ?? []), condition];
  return {
    verb: 'patch',
    resource: certificateSigningRequests,
    replacement: { ...request, status: { ...request.status, conditions } } as CertificateSigningRequest,
    subresource: 'approval',
    reason: approval.reason,
    message: `Approved the ${flow} certificate requested by ${request.spec.username ?? ''} (${path})`,
  };
}
