import type { ShownCondition, TreeNode } from '@slipway/insight';
import { formatAge } from '@slipway/kube';
import { type Style, plainStyle } from '../style.js';
import { columnsText, widthBefore, wrapText } from '../text.js';
import { compactTree } from './compact-tree.js';
import { colourOf, groupText, type TreeLine, titleOf, treeLines } from './tree-lines.js';

export interface TreeTextOptions {
  /** The current time, for the `SINCE` column. */
  readonly nowMs: number;
  readonly style?: Style;
  /** Width of the terminal; undefined without a terminal, which means unlimited. */
  readonly width?: number | undefined;
  /** Whether to print v1beta1 conditions, which have a severity and no counters. */
  readonly old?: boolean;
}

const headings = ['NAME', 'REPLICAS', 'AVAILABLE', 'READY', 'UP TO DATE', 'STATUS', 'REASON', 'SINCE', 'MESSAGE'];
const oldHeadings = ['NAME', 'READY', 'SEVERITY', 'REASON', 'SINCE', 'MESSAGE'];
const messageWidth = 100;
/** Minimum width of the message column. */
const messageWidthMin = 32;
const oldMessageMax = 100;

/** Formats a tree as clusterctl does, or compactly on a terminal that is too narrow for that. */
export function treeText(root: TreeNode, options: TreeTextOptions): string {
  const lines = treeLines(root);
  const text = options.old === true ? oldTable(lines, options) : table(lines, options);
  return `${(text ?? compactTree(lines, options)).join('\n')}\n`;
}

function table(lines: readonly TreeLine[], options: TreeTextOptions): readonly string[] | undefined {
  const heads = lines.map((line) => headOf(line, options));
  const before = widthBefore(headings, heads);
  const available = options.width === undefined ? messageWidth : Math.min(options.width - before, messageWidth);
  const says = lines.some((line) => messageOf(line) !== '');
  if (
    options.width !== undefined &&
    (before + 'MESSAGE'.length > options.width || (says && available < messageWidthMin))
  )
    return undefined;
  const { faint } = options.style ?? plainStyle;
  const rows = lines.flatMap((line, index) => {
    const [first = '', ...more] = wrapText(messageOf(line), available);
    const paint = line.node?.group === undefined ? (text: string): string => text : faint;
    const head = [...(heads[index] ?? []), paint(first)];
    return [head, ...more.map((text) => [faint(line.morePrefix), '', '', '', '', '', '', '', text])];
  });
  return columnsText(headings, rows);
}

/** Returns all cells of a line except the message. */
function headOf(line: TreeLine, options: TreeTextOptions): string[] {
  const { condition, node } = line;
  const style = options.style ?? plainStyle;
  const { replicas = '', available = '', ready = '', upToDate = '' } = node?.counters ?? {};
  return [
    style.faint(line.prefix) + paintedTitle(line, style),
    replicas,
    String(available),
    String(ready),
    String(upToDate),
    condition === undefined ? '' : style[colourOf(condition)](condition.status),
    condition?.reason ?? '',
    ageOf(condition, options),
  ];
}

function oldTable(lines: readonly TreeLine[], options: TreeTextOptions): readonly string[] {
  const style = options.style ?? plainStyle;
  const rows = lines.map((line) => {
    const { condition } = line;
    const paint = condition === undefined ? style.faint : style[oldColour(condition)];
    const message = (line.node && groupText(line.node)) ?? condition?.message ?? '';
    return [
      style.faint(line.prefix) + paintedTitle(line, style),
      paint(condition?.status ?? ''),
      paint(condition?.severity ?? ''),
      paint(condition?.reason ?? ''),
      ageOf(condition, options),
      message.length > oldMessageMax ? `${message.slice(0, oldMessageMax)} ...` : message,
    ];
  });
  return columnsText(oldHeadings, rows, 1);
}

function oldColour({ status, severity }: ShownCondition): 'good' | 'bad' | 'doubtful' | 'faint' {
  if (status === 'True') return 'good';
  if (status !== 'False') return 'faint';
  if (severity === 'Error') return 'bad';
  return severity === 'Warning' ? 'doubtful' : 'faint';
}

function ageOf(condition: ShownCondition | undefined, { nowMs }: TreeTextOptions): string {
  return condition === undefined ? '' : formatAge(condition.lastTransitionTime, nowMs);
}

function messageOf({ node, condition }: TreeLine): string {
  const ofGroup = node && groupText(node);
  return ofGroup ?? condition?.message ?? '';
}

/** Returns the title with the kind in plain text and the name in bold. */
function paintedTitle(line: TreeLine, style: Style): string {
  const { node } = line;
  const title = titleOf(line);
  if (node === undefined) return style.name(title);
  if (node.group !== undefined) return style.bold(title);
  if (node.heading === true) return title;
  const name = node.namespace === '' ? node.name : `${node.namespace}/${node.name}`;
  const painted = title.replace(` ${name}`, () => ` ${style.bold(name)}`);
  const mark = '!! DELETED !!';
  return painted.startsWith(mark) ? style.bad(mark) + painted.slice(mark.length) : painted;
}
