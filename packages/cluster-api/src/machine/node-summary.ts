import type { Frozen } from '@slipway/kube';
import type { NewCondition, Node } from '@slipway/runtime';
import { machineReasons } from '../api/index.js';

const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

interface Finding {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly message: string;
  readonly isReported: boolean;
}

/** Healthy is a Node that is Ready and has no pressure. Only what is not well is told. */
export function nodeSummary(node: Frozen<Node>): Omit<NewCondition, 'type'> {
  const findings = ['Ready', ...pressures].flatMap((type) => findingOf(node, type));
  const message = messageOf(findings);
  if (findings.some(({ status }) => status !== 'Unknown'))
    return { status: 'False', reason: machineReasons.nodeNotHealthy, message };
  if (findings.length > 0) return { status: 'Unknown', reason: machineReasons.nodeHealthyUnknown, message };
  return { status: 'True', reason: machineReasons.nodeHealthy, message: '' };
}

function findingOf(node: Frozen<Node>, type: string): Finding[] {
  const condition = node.status?.conditions?.find((candidate) => candidate.type === type);
  if (condition === undefined)
    return [{ type, status: 'Unknown', message: 'Condition not yet reported', isReported: false }];
  const status = condition.status === 'True' || condition.status === 'False' ? condition.status : 'Unknown';
  if (status === (type === 'Ready' ? 'True' : 'False')) return [];
  const message = (condition.message ?? '') === '' ? `Condition is ${status}` : (condition.message ?? '');
  return [{ type, status, message, isReported: true }];
}

/** A kubelet that went silent says the same of everything: once is enough. */
function messageOf(findings: readonly Finding[]): string {
  const reported = findings.filter(({ isReported }) => isReported);
  const [first] = reported;
  if (first !== undefined && reported.length > 1 && reported.every(({ message }) => message === first.message))
    return `* Node.AllConditions: ${first.message}`;
  return findings.map(({ type, message }) => `* Node.${type}: ${message}`).join('\n');
}

/** The summary as the deprecated condition has it: a Node that reports nothing is not held against it. */
export function nodeSummaryV1beta1(node: Frozen<Node>): { status: 'True' | 'False' | 'Unknown'; message: string } {
  const findings = ['Ready', ...pressures].flatMap((type) => findingOf(node, type)).filter((each) => each.isReported);
  const message = findings.map(({ type, status }) => `Node condition ${type} is ${status}`).join('. ');
  if (findings.some(({ status }) => status !== 'Unknown')) return { status: 'False', message };
  return { status: findings.length < 1 + pressures.length ? 'True' : 'Unknown', message };
}
