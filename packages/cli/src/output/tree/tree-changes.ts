import { nodeTitle, type ShownCondition, type TreeNode } from '@slipway/insight';

/** The state of each object of a tree, by its title. Of a tree without groups: in a group nobody has a state of his own. */
export type TreeState = ReadonlyMap<string, string>;

export function treeState(root: TreeNode): TreeState {
  const state = new Map<string, string>();
  const visit = (node: TreeNode): void => {
    if (node.heading !== true) state.set(nodeTitle(node), stateText(node));
    for (const child of node.children) visit(child);
  };
  visit(root);
  return state;
}

/** What is new since the state before, a line each, in the order of the tree. */
export function treeChanges(before: TreeState, now: TreeState): readonly string[] {
  const lines: string[] = [];
  for (const [title, state] of now) {
    if (before.get(title) !== state) lines.push(state === '' ? title : `${title}: ${state}`);
  }
  for (const title of before.keys()) if (!now.has(title)) lines.push(`${title}: gone`);
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

/**
 * What a condition says, in one line. Its message is a list whose entries may have lists below them: the first entry
 * tells, with the first of each level below it.
 */
export function firstCause(message: string): string {
  const words: string[] = [];
  let depth = -1;
  for (const line of message.split('\n')) {
    const [, indent = '', text = ''] = /^(\s*)(?:\* )?(.*)$/.exec(line) ?? [];
    if (text === '') continue;
    // A second entry of a level: the first has told.
    if (indent.length <= depth) break;
    depth = indent.length;
    words.push(text);
  }
  return words.join(' ');
}
