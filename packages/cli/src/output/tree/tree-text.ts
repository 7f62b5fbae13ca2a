import type { ShownCondition, TreeNode } from '@slipway/insight';
import { formatAge } from '@slipway/kube';
import { type Style, plainStyle } from '../style.js';
import { columnsText, widthBefore, wrapText } from '../text.js';
import { compactTree } from './compact-tree.js';
import { colourOf, groupText, type TreeLine, titleOf, treeLines } from './tree-lines.js';

export interface TreeTextOptions {
  /** What `SINCE` counts to. */
  readonly nowMs: number;
  readonly style?: Style;
  /** Of the terminal; undefined where there is none, and lines may be as long as they are. */
  readonly width?: number | undefined;
  /** Conditions of the old style have a severity and no counters. */
  readonly old?: boolean;
}

const headings = ['NAME', 'REPLICAS', 'AVAILABLE', 'READY', 'UP TO DATE', 'STATUS', 'REASON', 'SINCE', 'MESSAGE'];
const oldHeadings = ['NAME', 'READY', 'SEVERITY', 'REASON', 'SINCE', 'MESSAGE'];
const messageWidth = 100;
/** A message in a narrower column is not read with pleasure. */
const messageWidthMin = 32;
const oldMessageMax = 100;

/** A tree as clusterctl prints it; on a terminal that is too narrow for that, one line an object and what it says below. */
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

/** All cells but the message. */
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

/** What it is in plain letters, which one in bold ones. */
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
