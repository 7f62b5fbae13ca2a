import { labels, type ObservedMachine, reasons } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Node } from '@slipway/runtime';
import { type KubeadmConfig, kubeadmReasons } from '../api/index.js';
import type { Finding } from './finding.js';

const controlPlaneTaint = { key: labels.nodeRoleControlPlane, effect: 'NoSchedule' } as const;

interface TaintLike {
  readonly key: string;
  readonly effect: string;
}

export function nodeInspectionFailed(message: string): Finding {
  return { status: 'Unknown', reason: reasons.inspectionFailed, message };
}

export function nodeOfDeletingMachine(): Finding {
  return { status: 'False', reason: reasons.deleting, message: 'Machine is deleting' };
}

/** Whether the Node carries what kubeadm gives to Nodes of the control plane. */
export function nodeFinding(
  machine: ObservedMachine,
  node: Frozen<Node>,
  config: Frozen<KubeadmConfig> | undefined,
): Finding {
  const { key, effect } = controlPlaneTaint;
  const missing: string[] = [];
  if (!Object.hasOwn(node.metadata.labels ?? {}, key)) missing.push(`the ${key} label`);
  if (wantsTaint(machine, config) && !hasTaint(node.spec?.taints)) missing.push(`the ${key}:${effect} taint`);
  if (missing.length === 0) return { status: 'True', reason: kubeadmReasons.set, message: '' };
  const message = `Node ${node.metadata.name ?? ''} does not have ${missing.join(' and ')}`;
  return { status: 'False', reason: kubeadmReasons.notSet, message };
}

/**
 * kubeadm adds the taint when it is told of no taints at all; an empty list means none. Once it was asked for it is expected
 * to stay: nothing says otherwise.
 */
function wantsTaint(machine: ObservedMachine, config: Frozen<KubeadmConfig> | undefined): boolean {
  if (hasTaint(machine.spec.taints)) return true;
  if (config === undefined) return false;
  const { joinConfiguration, initConfiguration } = config.spec ?? {};
  const { taints } = (joinConfiguration ?? initConfiguration)?.nodeRegistration ?? {};
  return taints === undefined || hasTaint(taints);
}

function hasTaint(taints: readonly TaintLike[] | undefined): boolean {
  return (
    taints?.some(({ key, effect }) => key === controlPlaneTaint.key && effect === controlPlaneTaint.effect) ?? false
  );
}

/** Nobody hears of the Node: nobody knows whether anything on it still runs. */
export function isSilent(node: Frozen<Node>): boolean {
  return isUnreachable(node) || node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'Unknown';
}

/** What is heard of an unreachable Node may be long past. */
export function isUnreachable(node: Frozen<Node>): boolean {
  return (
    node.spec?.taints?.some(({ key, effect }) => key === 'node.kubernetes.io/unreachable' && effect === 'NoExecute') ??
    false
  );
}
