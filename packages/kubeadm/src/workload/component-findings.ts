import { isDeleting, nameOf, type ObservedMachine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { reasons } from '@slipway/cluster-api';
import { controlPlaneMachineConditions, type KubeadmConfig, kubeadmConditions } from '../api/index.js';
import { aggregateFindings, aggregateV1beta1 } from './aggregate-findings.js';
import type { ControlPlaneObservation } from './control-plane-observation.js';
import type { Finding, FindingBook, MachineBooks } from './finding.js';
import { isUnreachable, nodeFinding, nodeInspectionFailed, nodeOfDeletingMachine } from './node-finding.js';
import {
  podInspectionFailed,
  podNotYetExpected,
  podOnDeletingMachine,
  podWithoutNode,
  staticPodFinding,
} from './static-pod-finding.js';
import { type StaticPodComponent, staticPodComponents, staticPodName } from './static-pods.js';

const { nodeKubeadmLabelsAndTaintsSet } = controlPlaneMachineConditions;

export interface ComponentInput {
  readonly machines: readonly ObservedMachine[];
  readonly kubeadmConfigs: ReadonlyMap<string, Frozen<KubeadmConfig>>;
  readonly isEtcdManaged: boolean;
  readonly observation: ControlPlaneObservation;
}

/** Notes how the static Pods of every machine are, and what that means for the control plane. */
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
    // Perhaps only for a moment: whether the machine is lost is for its health check to say.
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

/** What a machine that is still being provisioned waits for. */
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

/** Nodes of the control plane without a machine; while machines are on their way, such a Node may be one of theirs. */
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
