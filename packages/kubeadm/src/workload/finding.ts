import { type ConditionSeverity, nameOf, type ObservedMachine, type V1beta1Condition } from '@slipway/cluster-api';
import type { ConditionStatus, NewCondition } from '@slipway/runtime';
import { kubeadmReasons } from '../api/index.js';

/** A v1beta1 condition before it is set. */
export type NewV1beta1Condition = Omit<V1beta1Condition, 'lastTransitionTime'>;

/** Conditions to set, in both styles. The setter adds the times. */
export interface ConditionsToSet {
  readonly conditions: readonly NewCondition[];
  readonly v1beta1: readonly NewV1beta1Condition[];
}

/** The finding about one component. The v1beta1 condition has its own reason and message, and is absent for some findings. */
export interface Finding {
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly v1beta1?: {
    readonly status: ConditionStatus;
    readonly reason?: string;
    readonly severity?: ConditionSeverity;
    readonly message?: string;
  };
}

/** Collects findings about one object. A later finding of the same type replaces an earlier one. */
export class FindingBook {
  readonly #conditions = new Map<string, NewCondition>();
  readonly #v1beta1 = new Map<string, NewV1beta1Condition>();

  note(type: string, { status, reason, message, v1beta1 }: Finding): void {
    this.#conditions.set(type, { type, status, reason, message });
    if (v1beta1 !== undefined) this.#v1beta1.set(type, { type, ...v1beta1 });
  }

  noteV1beta1(condition: NewV1beta1Condition): void {
    this.#v1beta1.set(condition.type, condition);
  }

  condition(type: string): NewCondition | undefined {
    return this.#conditions.get(type);
  }

  v1beta1Condition(type: string): NewV1beta1Condition | undefined {
    return this.#v1beta1.get(type);
  }

  toSet(): ConditionsToSet {
    return { conditions: [...this.#conditions.values()], v1beta1: [...this.#v1beta1.values()] };
  }
}

/** Findings by Machine name, sorted, so that messages do not depend on the order of a list. */
export type MachineBooks = ReadonlyMap<string, FindingBook>;

export interface Aggregation {
  readonly machines: readonly ObservedMachine[];
  readonly books: MachineBooks;
  /** The condition types of machines to aggregate. */
  readonly types: readonly string[];
  /** Problems of the control plane as a whole, one sentence each. */
  readonly problems: readonly string[];
  /** The subject of messages about machines. */
  readonly subject: string;
}

const namesMax = 3;

/** Aggregates the conditions of all machines for the control plane: issues take precedence over unknown conditions. */
export function aggregateFindings({
  machines,
  books,
  types,
  problems,
  subject,
}: Aggregation): Omit<Finding, 'v1beta1'> {
  const reports = machines.map((machine) => machineReport(machine, books.get(nameOf(machine)), types));
  const message = [...groupedMessages(reports), ...problems.map((problem) => `* ${problem}`)].join('\n');
  if (problems.length > 0 || reports.some(({ worst }) => worst === 'issue'))
    return { status: 'False', reason: kubeadmReasons.notHealthy, message };
  if (reports.some(({ worst }) => worst === 'unknown'))
    return { status: 'Unknown', reason: kubeadmReasons.healthUnknown, message };
  if (reports.some(({ worst }) => worst === 'info'))
    return { status: 'True', reason: kubeadmReasons.healthy, message: '' };
  return {
    status: 'Unknown',
    reason: kubeadmReasons.healthUnknown,
    message: `No Machines reporting ${subject} status`,
  };
}

interface MachineReport {
  readonly name: string;
  readonly worst: 'issue' | 'unknown' | 'info' | undefined;
  readonly text: string;
}

function machineReport(
  machine: ObservedMachine,
  book: FindingBook | undefined,
  types: readonly string[],
): MachineReport {
  const found = types.flatMap((type) => book?.condition(type) ?? []);
  const isProvisioning = (machine.spec.providerID ?? '') === '';
  // A machine that is still being provisioned is not expected to report conditions.
  const bad = found.filter(({ status }) => status === 'False' || (status === 'Unknown' && !isProvisioning));
  const name = nameOf(machine);
  const lines = bad.map(({ type, status, message }) => `  * ${type}: ${messageOr(message, `condition is ${status}`)}`);
  const [first] = found;
  // Report a cause that all machines share once.
  if (bad.length > 0 && found.length > 1 && first !== undefined && haveOneMessage(found))
    lines.splice(0, lines.length, `  * Control plane components: ${first.message ?? ''}`);
  return { name, worst: worstOf(found, bad), text: lines.join('\n') };
}

function messageOr(message: string | undefined, fallback: string): string {
  return message === undefined || message === '' ? fallback : message;
}

function haveOneMessage(found: readonly NewCondition[]): boolean {
  return new Set(found.map(({ message }) => message ?? '')).size === 1;
}

function worstOf(found: readonly NewCondition[], bad: readonly NewCondition[]): MachineReport['worst'] {
  if (bad.some(({ status }) => status === 'False')) return 'issue';
  if (bad.length > 0) return 'unknown';
  return found.length > 0 ? 'info' : undefined;
}

/** Groups machines with the same message, largest group first. */
function groupedMessages(reports: readonly MachineReport[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { name, text } of reports) {
    if (text === '') continue;
    const names = groups.get(text) ?? [];
    groups.set(text, names);
    names.push(name);
  }
  const ordered = [...groups].map(([text, names]) => ({ text, names: names.sort() }));
  ordered.sort((left, right) => {
    if (left.names.length !== right.names.length) return right.names.length - left.names.length;
    return left.names.join(',') < right.names.join(',') ? -1 : 1;
  });
  return ordered.map(({ text, names }) => `* Machine${names.length > 1 ? 's' : ''} ${listNames(names)}:\n${text}`);
}

function listNames(names: readonly string[]): string {
  const more = names.length - namesMax;
  return `${names.slice(0, namesMax).join(', ')}${more > 0 ? `, ... (${more} more)` : ''}`;
}

export interface V1beta1Aggregation extends Aggregation {
  readonly type: string;
  readonly unhealthyReason: string;
  readonly unknownReason: string;
}

const severities = [
  ['Error', 'errors'],
  ['Warning', 'warnings'],
  ['Info', 'info'],
] as const;

/** Returns the most severe v1beta1 condition of all machines. Undefined if no machine has one. */
export function aggregateV1beta1(aggregation: V1beta1Aggregation): NewV1beta1Condition | undefined {
  const { type, subject, problems, unhealthyReason, unknownReason } = aggregation;
  const found = aggregation.machines.flatMap((machine) => {
    const book = aggregation.books.get(nameOf(machine));
    const conditions = aggregation.types.flatMap((each) => book?.v1beta1Condition(each) ?? []);
    return conditions.map((condition) => ({ name: nameOf(machine), condition }));
  });
  const namesWith = (matches: (condition: NewV1beta1Condition) => boolean): string =>
    [...new Set(found.filter(({ condition }) => matches(condition)).map(({ name }) => name))].sort().join(', ');
  for (const [severity, word] of severities) {
    const names = namesWith(({ status, severity: own }) => status === 'False' && own === severity);
    const texts = names === '' ? [] : [`Following Machines are reporting ${subject} ${word}: ${names}`];
    const message = (severity === 'Error' ? [...problems, ...texts] : texts).join('; ');
    if (message !== '') return { type, status: 'False', reason: unhealthyReason, severity, message };
  }
  if (found.some(({ condition }) => condition.status === 'True')) return { type, status: 'True' };
  const unknown = namesWith(({ status }) => status === 'Unknown');
  if (unknown === '') return undefined;
  const message = `Following Machines are reporting unknown ${subject} status: ${unknown}`;
  return { type, status: 'Unknown', reason: unknownReason, message };
}
