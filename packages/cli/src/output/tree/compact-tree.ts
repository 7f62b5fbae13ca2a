import { formatAge } from '@slipway/kube';
import stringWidth from 'string-width';
import { type Style, plainStyle } from '../style.js';
import { pad, wrapText } from '../text.js';
import { colourOf, groupText, type TreeLine, titleOf } from './tree-lines.js';
import type { TreeTextOptions } from './tree-text.js';

const headings = ['READY', 'STATUS', 'SINCE'] as const;
const widthMin = 40;
const indent = '  ';

/** Formats a tree for narrow terminals: one line per object, with the reason for a failing condition below it. */
export function compactTree(lines: readonly TreeLine[], options: TreeTextOptions): readonly string[] {
  const style = options.style ?? plainStyle;
  const width = Math.max(options.width ?? widthMin, widthMin);
  const cells = lines.map((line) => cellsOf(line, options));
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...cells.map((row) => stringWidth(row[index] ?? ''))),
  );
  const tail = widths.reduce((sum, one) => sum + one + 2, 0);
  const nameWidth = Math.min(
    width - tail,
    Math.max('NAME'.length, ...lines.map((line) => stringWidth(line.prefix + titleOf(line)))),
  );
  const row = (name: string, values: readonly string[]): string =>
    (pad(name, nameWidth) + values.map((value, index) => `  ${pad(value, widths[index] ?? 0)}`).join('')).trimEnd();
  return [
    row('NAME', headings),
    ...lines.flatMap((line, index) => [
      row(nameOf(line, nameWidth, style), cells[index] ?? []),
      ...messageLines(line, width, style),
    ]),
  ];
}

function cellsOf({ node, condition }: TreeLine, { nowMs, style = plainStyle }: TreeTextOptions): string[] {
  const { replicas, ready } = node?.counters ?? {};
  const wanted = node?.group === undefined ? replicas?.replace(/^\d+\//, '') : String(node.group.length);
  return [
    ready === undefined || wanted === undefined ? '' : `${ready}/${wanted}`,
    condition === undefined ? '' : style[colourOf(condition)](condition.status),
    condition === undefined ? '' : formatAge(condition.lastTransitionTime, nowMs),
  ];
}

/** Truncates a name in the middle: names start with the cluster name and differ at the end. */
function nameOf(line: TreeLine, width: number, style: Style): string {
  const room = Math.max(width - stringWidth(line.prefix), 1);
  const title = titleOf(line);
  const cut =
    title.length <= room
      ? title
      : `${title.slice(0, Math.ceil((room - 1) / 2))}…${title.slice(-Math.floor((room - 1) / 2))}`;
  return style.faint(line.prefix) + (line.isCondition ? style.name(cut) : cut);
}

function messageLines(line: TreeLine, width: number, style: Style): string[] {
  const { node, condition } = line;
  const names = node && groupText(node);
  const isFine = condition === undefined || colourOf(condition) === 'good';
  const reason = isFine || condition.reason === condition.type ? '' : condition.reason;
  const message = condition?.message ?? '';
  const text = names ?? [reason, message].filter((part) => part !== '').join(message.includes('\n') ? '\n' : ': ');
  if (text === '') return [];
  const left = line.morePrefix + indent;
  const paint = names === undefined ? (one: string): string => one : style.faint;
  return wrapText(text, Math.max(width - stringWidth(left), widthMin / 2)).map((one) => style.faint(left) + paint(one));
}
