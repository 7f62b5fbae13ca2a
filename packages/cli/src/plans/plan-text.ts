import type { MachineFate, Plan, PlanStep } from '@slipway/insight';
import { wrapText } from '../output/index.js';

const marks = { create: '+', replace: '±', update: '~', delete: '-' } as const;
const outcomes = ['replace', 'update', 'create', 'delete'] as const;
const widthMin = 40;

/** A plan for a person, within so many columns. */
export function planText(plan: Plan, width: number): string {
  const columns = Math.max(width, widthMin);
  const sections = [
    machinesText(plan, columns),
    orderText(plan, columns),
    objectsText(plan),
    unsettledText(plan, columns),
  ];
  return `${[...sections, summaryText(plan)].filter((section) => section !== '').join('\n')}`;
}

function machinesText({ machines }: Plan, width: number): string {
  const sorted = outcomes.flatMap((outcome) => machines.filter((fate) => fate.outcome === outcome));
  const lines = sorted.map((fate) =>
    item(`  ${marks[fate.outcome]} ${fate.outcome.padEnd(7)}  `, fateText(fate), width),
  );
  return lines.length === 0 ? '' : `Machines\n${lines.join('')}`;
}

function fateText({ machine, group, version, newVersion, why }: MachineFate): string {
  const name = machine ?? `a machine of ${group.kind} ${group.name}`;
  const versions = newVersion === undefined || newVersion === version ? version : `${version} → ${newVersion}`;
  return `${name}${versions === '' ? '' : ` (${versions})`}: ${why}`;
}

function orderText({ steps }: Plan, width: number): string {
  const digits = String(steps.length).length;
  const lines = steps.map((step, index) => item(`  ${String(index + 1).padStart(digits)}. `, stepText(step), width));
  return lines.length === 0 ? '' : `In this order\n${lines.join('')}`;
}

function stepText({ verb, machine, isNew, group, afterSeconds }: PlanStep): string {
  const name = isNew && verb === 'create' ? `a machine of ${group.kind} ${group.name}` : machine;
  return `${verb} ${name}${afterSeconds < 0 ? ' (under way already)' : ''}`;
}

function objectsText({ objects }: Plan): string {
  const lines = objects.map(({ outcome, kind, namespace, name }) => {
    const place = namespace === '' ? name : `${namespace}/${name}`;
    return `  ${marks[outcome]} ${outcome.padEnd(7)}  ${kind} ${place}\n`;
  });
  return lines.length === 0 ? '' : `Other objects\n${lines.join('')}`;
}

function unsettledText({ isSettled, unsettled, simulatedSeconds }: Plan, width: number): string {
  if (isSettled) return '';
  const lines = unsettled.map(({ kind, namespace, name, message }) =>
    item('  ! ', `${kind} ${namespace}/${name}: ${message.replaceAll('\n', ' ')}`, width),
  );
  return `Not settled after ${durationText(simulatedSeconds)} of simulated time\n${lines.join('')}`;
}

function summaryText({ summary }: Plan): string {
  const { create, replace, update, delete: gone } = summary;
  if (create + replace + update + gone === 0) return 'No machine changes.\n';
  return `Machines: ${create} to create, ${replace} to replace, ${update} to update in place, ${gone} to delete.\n`;
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** A first line with a mark, and further ones below its text. */
function item(mark: string, text: string, width: number): string {
  const indent = ' '.repeat(mark.length);
  return wrapText(text, width - mark.length)
    .map((line, index) => `${index === 0 ? mark : indent}${line}\n`)
    .join('');
}
