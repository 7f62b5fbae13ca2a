import type { Frozen } from '@slipway/kube';
import {
  type Change,
  deployments,
  done,
  edit,
  ensureFinalizer,
  getCondition,
  isDeleting,
  keyOf,
  type NewCondition,
  nodes,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  wait,
} from '@slipway/runtime';
import { annotations, finalizer, labels, operatorName, remedies, type VdoConfig, vdoConfigs } from '../api/index.js';
import { activeVdoConfig } from './active-vdo-config.js';
import { deployDriver } from './deploy-driver.js';
import { observe } from './observe.js';
import type { OperatorDependencies } from './dependencies.js';
import { removeDrivers } from './remove-drivers.js';
import { type Findings, findingsOf, withFindings, withOneCondition } from './report.js';
import { recordChanges } from './record-changes.js';

const progressingMs = 30_000;
const stableMs = 300_000;

/** Reconciles the drivers of a cluster. */
export async function reconcileVdoConfig(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<Outcome> {
  const source = context.sources.sourceFor(vdoConfigs);
  const config = source.get(key);
  if (config === undefined) return done();
  const active = activeVdoConfig(source.list());
  const isActive = active !== undefined && active.metadata.uid === config.metadata.uid;
  if (isDeleting(config)) return removeDrivers(config, isActive, context, dependencies);
  const idle = idleReason(config, active, context, dependencies);
  if (idle !== undefined) return standStill(config, idle, context);
  const { changed } = await ensureFinalizer(context, vdoConfigs, config, finalizer);
  if (changed) {
    context.enqueue(key);
    return done();
  }
  const started = context.clock.monotonic();
  const findings = await observeAndApply(config, context, dependencies);
  const after = withFindings(config, findings);
  if (after !== config) {
    await context.change({
      verb: 'status',
      resource: vdoConfigs,
      before: config,
      after,
      ownedConditions: 'all',
      reason: 'StatusUpdated',
      message: 'Updated status',
    });
    recordChanges(config, after, context);
  }
  dependencies.metrics.reported(after);
  const isReady = getCondition(after, 'Ready')?.status === 'True';
  dependencies.metrics.reconciled(isReady ? 'ready' : 'not_ready', context.clock.monotonic() - started);
  return nextPoll(isReady, after, dependencies);
}

async function observeAndApply(
  config: Frozen<VdoConfig>,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<Findings> {
  const observed = await observe(config, context, dependencies);
  const cpi = await deployDriver('cpi', observed, context, dependencies);
  const csi = await deployDriver('csi', observed, context, dependencies);
  const findings = findingsOf(observed, cpi, csi, context.clock.now());
  await context.changeAll(labelChanges(findings));
  return findings;
}

function nextPoll(isReady: boolean, { status }: Frozen<VdoConfig>, dependencies: OperatorDependencies): Outcome {
  const message = status?.summary ?? '';
  const ms = Math.min(isReady ? stableMs : progressingMs, dependencies.matrices.nextPollMs ?? stableMs);
  return wait({ ms, reason: isReady ? 'Healthy' : 'InProgress', message });
}

/** Returns why the VDOConfig is not reconciled, if so. */
function idleReason(
  config: Frozen<VdoConfig>,
  active: Frozen<VdoConfig> | undefined,
  { sources }: ReconcileContext,
  { options }: OperatorDependencies,
): NewCondition | undefined {
  if (config.spec?.paused === true)
    return {
      type: 'Paused',
      status: 'True',
      reason: 'Paused',
      message: 'spec.paused is true: the drivers are not changed',
    };
  if (active !== undefined && active.metadata.uid !== config.metadata.uid) {
    const { namespace, name } = keyOf(active);
    return {
      type: 'Ready',
      status: 'False',
      reason: 'Superseded',
      message: `VDOConfig ${namespace}/${name} was created first and is the active one; ${remedies.Superseded}`,
    };
  }
  const where = otherOperator(config, sources, options);
  if (where === undefined) return undefined;
  return {
    type: 'Ready',
    status: 'False',
    reason: 'OtherOperator',
    message: `another operator is running in ${where}; ${remedies.OtherOperator}`,
  };
}

/**
 * Returns where another operator runs that manages the same drivers. Leader election does not protect against an operator in
 * another namespace or in the management cluster.
 */
function otherOperator(
  config: Frozen<VdoConfig>,
  sources: ReconcileContext['sources'],
  { namespace, isHosted = false }: OperatorDependencies['options'],
): string | undefined {
  const host = config.metadata.annotations?.[annotations.hostedBy];
  if (!isHosted && host !== undefined) return `the management cluster of Cluster ${host}`;
  const found = [...sources.sourceFor(deployments).list()].find(
    ({ metadata }) => metadata.name === operatorName && (isHosted || metadata.namespace !== namespace),
  );
  return found?.metadata.namespace;
}

async function standStill(
  config: Frozen<VdoConfig>,
  condition: NewCondition,
  context: ReconcileContext,
): Promise<Outcome> {
  const { type, reason, message = '' } = condition;
  const after = withOneCondition(config, [condition], context.clock.now());
  const ownedConditions = [type];
  await context.change({
    verb: 'status',
    resource: vdoConfigs,
    before: config,
    after,
    ownedConditions,
    reason,
    message,
  });
  return wait({ reason, message });
}

function labelChanges({ nodes: states, observed }: Findings): Change[] {
  const value = observed.config.metadata.name ?? '';
  return observed.nodes.flatMap((node): Change[] => {
    const isOurs = states.some(({ name, state }) => name === node.metadata.name && state === 'ready');
    if (!isOurs || node.metadata.labels?.[labels.node] === value) return [];
    const after = edit(
      node,
      (draft) => void (draft.metadata.labels = { ...draft.metadata.labels, [labels.node]: value }),
    );
    const message = `Labeled Node ${node.metadata.name ?? ''}: the cloud provider has initialized it`;
    return [{ verb: 'patch', resource: nodes, before: node, after, reason: 'NodeInitialized', message }];
  });
}
