import { type PlannedMachine, type Plan, planStatus, type PlanStep } from '@slipway/insight';
import { wrapText } from '../output/index.js';

const marks = { create: '+', replace: '±', update: '~', delete: '-' } as const;
const outcomes = ['replace', 'update', 'create', 'delete'] as const;
const widthMin = 40;

/** Formats a plan as text of at most `width` columns. */
export function planText(plan: Plan, width: number): string {
  const columns = Math.max(width, widthMin);
  const sections = [
    machinesText(plan, columns),
    orderText(plan, columns),
    objectsText(plan),
    blockedText(plan, columns),
    unsettledText(plan, columns),
    assumedText(plan, columns),
  ];
  return `${[...sections, summaryText(plan)].filter((section) => section !== '').join('\n')}`;
}

function machinesText({ machines }: Plan, width: number): string {
  const sorted = outcomes.flatMap((outcome) => machines.filter((machine) => machine.outcome === outcome));
  const lines = sorted.map((machine) =>
    item(`  ${marks[machine.outcome]} ${machine.outcome.padEnd(7)}  `, machineText(machine), width),
  );
  return lines.length === 0 ? '' : `Machines\n${lines.join('')}`;
}

function machineText({ machine, group, version, newVersion, why }: PlannedMachine): string {
  const name = machine ?? `a machine of ${group.kind} ${group.name}`;
  const versions = newVersion === undefined || newVersion === version ? version : `${version} → ${newVersion}`;
  return `${name}${versions === '' ? '' : ` (${versions})`}: ${why}`;
}

function orderText({ steps }: Plan, width: number): string {
  const digits = String(steps.length).length;
  const lines = steps.map((step, index) => item(`  ${String(index + 1).padStart(digits)}. `, stepText(step), width));
  return lines.length === 0 ? '' : `Order of changes\n${lines.join('')}`;
}

function stepText({ verb, machine, isNew, group, afterSeconds }: PlanStep): string {
  const name = isNew && verb === 'create' ? `a machine of ${group.kind} ${group.name}` : machine;
  return `${verb} ${name}${afterSeconds < 0 ? ' (in progress)' : ''}`;
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

/** Formats what blocks the plan, without the unsettled objects that wait for the same. */
function blockedText({ missing, blocked }: Plan, width: number): string {
  const lines = [
    ...missing.map(
      ({ from, path, to }) => `${placeText(from)}: ${path} references ${placeText(to)}, which does not exist`,
    ),
    ...blocked.map((object) => `${placeText(object)}: ${object.message.replaceAll('\n', ' ')}`),
  ];
  return lines.length === 0 ? '' : `Blocked\n${lines.map((line) => item('  ! ', line, width)).join('')}`;
}

function placeText({
  kind,
  namespace,
  name,
}: {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}): string {
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** Formats assumed hook responses, once for each handler: the same hooks are called for every Cluster. */
function assumedText({ assumedHooks }: Plan, width: number): string {
  const names = [...new Set(assumedHooks.map(({ hook, handler }) => `${hook} (${handler})`))];
  if (names.length === 0) return '';
  return `Hooks not called, assumed not to block\n${names.map((name) => item('  ? ', name, width)).join('')}`;
}

function summaryText(plan: Plan): string {
  const { summary } = plan;
  const { create, replace, update, delete: gone } = summary;
  if (create + replace + update + gone === 0)
    return planStatus(plan) === 'noChanges' ? 'No changes.\n' : 'No machine changes.\n';
  return `Machines: ${create} to create, ${replace} to replace, ${update} to update in place, ${gone} to delete.\n`;
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** Formats a line with a mark. Continuation lines are indented to its text. */
function item(mark: string, text: string, width: number): string {
  const indent = ' '.repeat(mark.length);
  return wrapText(text, width - mark.length)
    .map((line, index) => `${index === 0 ? mark : indent}${line}\n`)
    .join('');
}
