import { isDeleting, labels, nameOf, type ObservedMachine, reasons } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Node } from '@slipway/runtime';
import { controlPlaneMachineConditions, kubeadmConditions, type KubeadmConfig, kubeadmReasons } from '../api/index.js';
import type { ControlPlaneObservation } from './control-plane-workload.js';
import { aggregateFindings, aggregateV1beta1, type Finding, type FindingBook, type MachineBooks } from './finding.js';
import {
  podInspectionFailed,
  podNotYetExpected,
  podOnDeletingMachine,
  podWithoutNode,
  type StaticPodComponent,
  staticPodComponents,
  staticPodFinding,
  staticPodName,
} from './static-pod-finding.js';

const { nodeKubeadmLabelsAndTaintsSet } = controlPlaneMachineConditions;

export interface ComponentInput {
  readonly machines: readonly ObservedMachine[];
  readonly kubeadmConfigs: ReadonlyMap<string, Frozen<KubeadmConfig>>;
  readonly isEtcdManaged: boolean;
  readonly observation: ControlPlaneObservation;
}

/** Collects the health of the static Pods of every machine and of the control plane as a whole. */
export function noteComponents(input: ComponentInput, machineBooks: MachineBooks, controlPlane: FindingBook): void {
  const components = staticPodComponents(input.isEtcdManaged);
  const { nodesFailure } = input.observation;
  for (const machine of input.machines) {
    const book = machineBooks.get(nameOf(machine));
    if (book === undefined) continue;
    if (nodesFailure === undefined) noteMachine(input, machine, components, book);
    else noteAll(book, components, nodeInspectionFailed('Failed to get the Node'), nodeListFailed(nodesFailure));
  }
  if (nodesFailure === undefined) noteControlPlane(input, components, machineBooks, controlPlane);
  else controlPlane.note(kubeadmConditions.controlPlaneComponentsHealthy, componentsInspectionFailed(nodesFailure));
}

function nodeListFailed(failure: string): Finding {
  return podInspectionFailed(
    `Failed to get the Node hosting the Pod: ${failure}`,
    `Failed to get the Node which is hosting this component: ${failure}`,
  );
}

function componentsInspectionFailed(failure: string): Finding {
  return {
    status: 'Unknown',
    reason: reasons.inspectionFailed,
    message: `Failed to get Nodes hosting control plane components: ${failure}`,
    v1beta1: {
      status: 'Unknown',
      reason: 'ControlPlaneComponentsInspectionFailed',
      message: `Failed to list Nodes which are hosting control plane components: ${failure}`,
    },
  };
}

function noteMachine(
  { kubeadmConfigs, observation }: ComponentInput,
  machine: ObservedMachine,
  components: readonly StaticPodComponent[],
  book: FindingBook,
): void {
  const nodeName = machine.status?.nodeRef?.name;
  const node = nodeName === undefined ? undefined : observation.nodes.get(nodeName);
  const config = kubeadmConfigs.get(nameOf(machine));
  if (isDeleting(machine)) {
    const ofNode = node === undefined ? nodeOfDeletingMachine() : nodeFinding(machine, node, config);
    noteAll(book, components, ofNode, podOnDeletingMachine());
  } else if (nodeName === undefined) {
    const message = waitingForNode(machine);
    noteAll(book, components, nodeInspectionFailed(message), podNotYetExpected(message));
  } else if (node === undefined) {
    const message = `Node ${nodeName} does not exist`;
    noteAll(book, components, nodeInspectionFailed(message), podWithoutNode(nodeName));
  } else if (isUnreachable(node)) {
    // The Node may become reachable again: the MachineHealthCheck decides whether the machine is lost.
    const message = `Node ${nodeName} is unreachable`;
    noteAll(book, components, nodeInspectionFailed(message), podInspectionFailed(message, 'Node is unreachable'));
  } else {
    book.note(nodeKubeadmLabelsAndTaintsSet, nodeFinding(machine, node, config));
    for (const { name, condition } of components) {
      const podName = staticPodName(name, nodeName);
      book.note(condition, staticPodFinding(podName, node, observation.pods.get(podName)));
    }
  }
}

/** Returns what a machine that is still being provisioned waits for. */
export function waitingForNode({ spec }: ObservedMachine): string {
  return (spec.providerID ?? '') === ''
    ? `Waiting for ${spec.infrastructureRef.kind} to report spec.providerID`
    : `Waiting for a Node with spec.providerID ${spec.providerID} to exist`;
}

function noteAll(book: FindingBook, components: readonly StaticPodComponent[], ofNode: Finding, ofPod: Finding): void {
  book.note(nodeKubeadmLabelsAndTaintsSet, ofNode);
  for (const { condition } of components) book.note(condition, ofPod);
}

function noteControlPlane(
  { machines, observation }: ComponentInput,
  components: readonly StaticPodComponent[],
  books: MachineBooks,
  controlPlane: FindingBook,
): void {
  const type = kubeadmConditions.controlPlaneComponentsHealthy;
  const aggregation = {
    machines,
    books,
    types: components.map(({ condition }) => condition),
    problems: strayNodes(machines, observation),
    subject: 'control plane',
  };
  controlPlane.note(type, aggregateFindings(aggregation));
  const v1beta1 = aggregateV1beta1({
    ...aggregation,
    type,
    unhealthyReason: 'ControlPlaneComponentsUnhealthy',
    unknownReason: 'ControlPlaneComponentsUnknown',
  });
  if (v1beta1 !== undefined) controlPlane.noteV1beta1(v1beta1);
}

/**
 * Returns the Nodes of the control plane that have no machine. Empty while machines are being provisioned, because such a Node
 * may belong to one of them.
 */
function strayNodes(machines: readonly ObservedMachine[], observation: ControlPlaneObservation): string[] {
  const isProvisioning = machines.some(
    (machine) => !isDeleting(machine) && machine.status?.nodeRef?.name === undefined,
  );
  if (isProvisioning) return [];
  const known = new Set(machines.map(({ status }) => status?.nodeRef?.name));
  return observation.labelledNodes
    .filter((name) => !known.has(name))
    .map((name) => `Control plane Node ${name} does not have a corresponding Machine`);
}

const controlPlaneTaint = { key: labels.nodeRoleControlPlane, effect: 'NoSchedule' } as const;

interface TaintLike {
  readonly key: string;
  readonly effect: string;
}

function nodeInspectionFailed(message: string): Finding {
  return { status: 'Unknown', reason: reasons.inspectionFailed, message };
}

function nodeOfDeletingMachine(): Finding {
  return { status: 'False', reason: reasons.deleting, message: 'Machine is deleting' };
}

/** Returns whether the Node has the label and the taint that kubeadm sets on control plane Nodes. */
function nodeFinding(machine: ObservedMachine, node: Frozen<Node>, config: Frozen<KubeadmConfig> | undefined): Finding {
  const { key, effect } = controlPlaneTaint;
  const missing: string[] = [];
  if (!Object.hasOwn(node.metadata.labels ?? {}, key)) missing.push(`the ${key} label`);
  if (expectsTaint(machine, config) && !hasTaint(node.spec?.taints)) missing.push(`the ${key}:${effect} taint`);
  if (missing.length === 0) return { status: 'True', reason: kubeadmReasons.set, message: '' };
  const message = `Node ${node.metadata.name ?? ''} does not have ${missing.join(' and ')}`;
  return { status: 'False', reason: kubeadmReasons.notSet, message };
}

/**
 * Whether the Node should have the taint. kubeadm adds it if `taints` is absent, and an empty list means no taints. A configured
 * taint must not be removed.
 */
function expectsTaint(machine: ObservedMachine, config: Frozen<KubeadmConfig> | undefined): boolean {
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

/** Whether the Node is unreachable, so that the state of its Pods is unknown. */
export function isSilent(node: Frozen<Node>): boolean {
  return isUnreachable(node) || node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'Unknown';
}

/** Whether the Node has the unreachable taint, so that its reported state may be outdated. */
export function isUnreachable(node: Frozen<Node>): boolean {
  return (
    node.spec?.taints?.some(({ key, effect }) => key === 'node.kubernetes.io/unreachable' && effect === 'NoExecute') ??
    false
  );
}
