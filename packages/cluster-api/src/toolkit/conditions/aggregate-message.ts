import type { Condition } from '@slipway/runtime';
import { indentIfMultiline } from './indent.js';
import type { MergeGroups, MergePriority } from './merge-strategy.js';

/** A condition and its object. */
export interface ConditionSource {
  readonly kind: string;
  readonly name: string;
  readonly isControlPlaneMachine: boolean;
  readonly condition: Readonly<Condition>;
}

type PriorityOf = (condition: Readonly<Condition>) => MergePriority;

interface MessageGroup {
  readonly message: string;
  readonly names: string[];
}

interface MessageTraits {
  priority: MergePriority;
  first: boolean;
}

const messagesMax = 3;
const namesMax = 3;
const rank: Readonly<Record<MergePriority, number>> = { issue: 0, unknown: 1, info: 2 };
const otherTexts: readonly [MergePriority, string][] = [
  ['issue', 'with other issues'],
  ['unknown', 'with status unknown'],
  ['info', 'with additional info'],
];

/** Returns at most three messages, those of control plane machines first. Other objects are only counted. */
export function aggregateMessage(groups: MergeGroups, priorityOf: PriorityOf): string {
  const bad = [...groups.issues, ...groups.unknown];
  // Info is reported only if there are no issues or unknowns, and only with a message.
  const sources = bad.length > 0 ? bad : groups.info.filter(({ condition }) => condition.message !== '');
  const controlPlane = new Set(sources.filter((source) => source.isControlPlaneMachine).map((source) => source.name));
  const traits = traitsOf(sources, priorityOf);
  const byKind = groupByKind(sources);
  const lines: string[] = [];
  let left = messagesMax;
  for (const kind of [...byKind.keys()].sort()) {
    const ordered = [...(byKind.get(kind)?.values() ?? [])].sort((a, b) => compareGroups(a, b, traits));
    const shown = ordered.slice(0, left);
    left -= shown.length;
    for (const group of shown) lines.push(groupLine(kind, group, controlPlane));
    lines.push(...otherLines(kind, ordered.slice(shown.length), traits));
  }
  return lines.join('\n');
}

function groupByKind(sources: readonly ConditionSource[]): Map<string, Map<string, MessageGroup>> {
  const byKind = new Map<string, Map<string, MessageGroup>>();
  for (const { kind, name, condition } of sources) {
    const messages = byKind.get(kind) ?? new Map<string, MessageGroup>();
    byKind.set(kind, messages);
    const group = messages.get(condition.message) ?? { message: condition.message, names: [] };
    messages.set(condition.message, group);
    group.names.push(name);
  }
  return byKind;
}

function traitsOf(sources: readonly ConditionSource[], priorityOf: PriorityOf): Map<string, MessageTraits> {
  const traits = new Map<string, MessageTraits>();
  for (const { condition, isControlPlaneMachine } of sources) {
    const priority = priorityOf(condition);
    const known = traits.get(condition.message) ?? { priority, first: false };
    traits.set(condition.message, known);
    if (rank[priority] < rank[known.priority]) known.priority = priority;
    known.first ||= isControlPlaneMachine;
  }
  return traits;
}

function compareGroups(left: MessageGroup, right: MessageGroup, traits: ReadonlyMap<string, MessageTraits>): number {
  const [a, b] = [traits.get(left.message), traits.get(right.message)];
  if (a === undefined || b === undefined) return 0;
  if (a.first !== b.first) return a.first ? -1 : 1;
  if (a.priority !== b.priority) return rank[a.priority] - rank[b.priority];
  if (left.names.length !== right.names.length) return right.names.length - left.names.length;
  return left.names.join(',') < right.names.join(',') ? -1 : 1;
}

function groupLine(kind: string, group: MessageGroup, controlPlane: ReadonlySet<string>): string {
  const names = [...group.names].sort((left, right) => {
    if (controlPlane.has(left) !== controlPlane.has(right)) return controlPlane.has(left) ? -1 : 1;
    return left < right ? -1 : 1;
  });
  const more = names.length - namesMax;
  const listed = names.slice(0, namesMax).join(', ');
  const subject = names.length === 1 ? `${kind} ${listed}` : `${pluralKind(kind)} ${listed}`;
  return `* ${subject}${more > 0 ? `, ... (${more} more)` : ''}:${indentIfMultiline(group.message)}`;
}

function otherLines(
  kind: string,
  groups: readonly MessageGroup[],
  traits: ReadonlyMap<string, MessageTraits>,
): string[] {
  const lines: string[] = [];
  for (const [priority, text] of otherTexts) {
    const count = groups
      .filter((group) => traits.get(group.message)?.priority === priority)
      .reduce((sum, group) => sum + group.names.length, 0);
    if (count > 0) lines.push(`And ${count} ${count === 1 ? kind : pluralKind(kind)} ${text}`);
  }
  return lines;
}

/** Returns the English plural of a kind, for the endings that kinds have. */
function pluralKind(kind: string): string {
  if (/(s|x|z|ch|sh)$/i.test(kind)) return `${kind}es`;
  if (/[^aeiou]y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  return `${kind}s`;
}
