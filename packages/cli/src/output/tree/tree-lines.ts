import { isNegative, nodeTitle, type ShownCondition, type TreeNode } from '@slipway/insight';

/** One line of a tree before it is laid out: an object or one of its conditions. */
export interface TreeLine {
  /** Branch to the parent, such as `│ └─`. */
  readonly prefix: string;
  /** Prefix of the continuation lines of this line. */
  readonly morePrefix: string;
  readonly node?: TreeNode;
  readonly condition: ShownCondition | undefined;
  readonly isCondition: boolean;
}

const branch = '├─';
const lastBranch = '└─';
const pipe = '│ ';
const blank = '  ';
/** Indentation of conditions relative to their object. */
const conditionIndent = ' '.repeat(10);

/** Returns the lines of the tree, from top to bottom. */
export function treeLines(root: TreeNode): readonly TreeLine[] {
  return linesOf(root, '', '');
}

function linesOf(node: TreeNode, prefix: string, below: string): TreeLine[] {
  const hasChildren = node.children.length > 0;
  const own: TreeLine = {
    prefix,
    morePrefix: below + (hasChildren ? pipe : ''),
    node,
    // If the conditions are listed below, the one on the line of the object would be repeated.
    condition: node.conditions?.some(({ type }) => type === node.condition?.type) === true ? undefined : node.condition,
    isCondition: false,
  };
  const left = below + (hasChildren ? pipe : blank) + conditionIndent;
  const conditions = (node.conditions ?? []).map((condition, index, all): TreeLine => {
    const isLast = index === all.length - 1;
    return {
      prefix: left + (isLast ? lastBranch : branch),
      morePrefix: left + (isLast ? '' : pipe),
      condition,
      isCondition: true,
    };
  });
  const children = node.children.flatMap((child, index) => {
    const isLast = index === node.children.length - 1;
    return linesOf(child, below + (isLast ? lastBranch : branch), below + (isLast ? blank : pipe));
  });
  return [own, ...conditions, ...children];
}

/** Returns a reference to the first objects of a group, or undefined without a group. */
export function groupText({ group }: TreeNode): string | undefined {
  if (group === undefined) return undefined;
  return group.length <= 2 ? `See ${group.join(', ')}` : `See ${group.slice(0, 2).join(', ')}, ...`;
}

export function titleOf({ node, condition }: TreeLine): string {
  return node === undefined ? (condition?.type ?? '') : nodeTitle(node);
}

export type Colour = 'good' | 'bad' | 'doubtful' | 'faint';

export function colourOf({ type, status }: Pick<ShownCondition, 'type' | 'status'>): Colour {
  if (status === 'Unknown') return 'doubtful';
  if (status !== 'True' && status !== 'False') return 'faint';
  return (status === 'True') === isNegative(type) ? 'bad' : 'good';
}
