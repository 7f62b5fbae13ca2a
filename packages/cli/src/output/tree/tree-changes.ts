import { nodeTitle, type ShownCondition, type TreeNode } from '@slipway/insight';

interface NodeState {
  readonly node: TreeNode;
  readonly text: string;
}

/**
 * State of each object of a tree, by its title. Only for a tree without groups, because a group has one state for all of its
 * objects.
 */
export type TreeState = ReadonlyMap<string, NodeState>;

export function treeState(root: TreeNode): TreeState {
  const state = new Map<string, NodeState>();
  const visit = (node: TreeNode): void => {
    if (node.heading !== true) state.set(nodeTitle(node), { node, text: stateText(node) });
    for (const child of node.children) visit(child);
  };
  visit(root);
  return state;
}

/**
 * Returns one line for each object that changed, in the order of the tree, then one line for each deleted object. The
 * tree also hides objects whose state equals that of their machine. `exists` returns true for these, so that they are
 * not reported as deleted.
 */
export function treeChanges(
  before: TreeState,
  now: TreeState,
  exists: (node: TreeNode) => boolean = () => false,
): readonly string[] {
  const lines: string[] = [];
  for (const [title, { text }] of now) {
    if (before.get(title)?.text !== text) lines.push(text === '' ? title : `${title}: ${text}`);
  }
  for (const [title, { node }] of before) if (!now.has(title) && !exists(node)) lines.push(`${title}: deleted`);
  return lines;
}

function stateText({ condition, counters }: TreeNode): string {
  const replicas =
    counters.replicas?.includes('/') === true ? `${counters.ready ?? 0}/${counters.replicas.split('/')[1]} ready` : '';
  return [replicas, condition === undefined ? '' : conditionText(condition)].filter((part) => part !== '').join(', ');
}

function conditionText({ type, status, reason, message }: ShownCondition): string {
  if (status === 'True') return type;
  const said = firstCause(message);
  return `not ${type} (${reason}${said === '' ? '' : `: ${said}`})`;
}

/** Summarizes a condition message in one line. The message is a nested list, of which the first entry of each level is used. */
export function firstCause(message: string): string {
  const parts: string[] = [];
  let depth = -1;
  for (const line of message.split('\n')) {
    const [, indent = '', text = ''] = /^(\s*)(?:\* )?(.*)$/.exec(line) ?? [];
    if (text === '') continue;
    // Further entries of the same level are skipped.
    if (indent.length <= depth) break;
    depth = indent.length;
    parts.push(text);
  }
  return parts.join(' ');
}
