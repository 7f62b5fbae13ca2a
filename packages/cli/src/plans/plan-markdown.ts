import { type PlannedMachine, type Plan, planStatus } from '@slipway/insight';

const titles = {
  noChanges: 'No changes',
  changes: 'Changes',
  blocked: 'Blocked',
  notSettled: 'Not settled',
} as const;
const stepsMax = 200;

/** Formats a plan as Markdown for a pull request. */
export function planMarkdown(plan: Plan): string {
  const { create, replace, update, delete: deleted } = plan.summary;
  const sections = [
    `### slipway plan: ${titles[planStatus(plan)]}\n`,
    `Machines: **${create}** to create, **${replace}** to replace, **${update}** to update in place, **${deleted}** to delete.\n`,
    blockedSection(plan),
    machinesSection(plan),
    stepsSection(plan),
    objectsSection(plan),
    unsettledSection(plan),
    hooksSection(plan),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function machinesSection({ machines }: Plan): string {
  if (machines.length === 0) return '';
  const rows = machines.map(
    (machine) =>
      `| ${machine.outcome} | ${code(nameOf(machine))} | ${cell(machine.cluster)} | ${versionOf(machine)} | ${cell(machine.why)} |\n`,
  );
  return `| outcome | machine | cluster | version | reason |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`;
}

function nameOf({ machine, group }: PlannedMachine): string {
  return machine ?? `new machine of ${group.kind} ${group.name}`;
}

function versionOf({ version, newVersion }: PlannedMachine): string {
  return cell(newVersion === undefined || newVersion === version ? version : `${version} → ${newVersion}`);
}

/** Formats the steps in a folded section, because the order of a large rollout is long. */
function stepsSection({ steps }: Plan): string {
  if (steps.length === 0) return '';
  const lines = steps.slice(0, stepsMax).map(({ verb, isNew, machine, group }, index) => {
    const name = isNew && verb === 'create' ? `new machine of ${group.kind} ${group.name}` : machine;
    return `${index + 1}. ${verb} ${code(name)}\n`;
  });
  const more = steps.length > stepsMax ? `\n… and ${steps.length - stepsMax} more.\n` : '';
  return `<details><summary>Order of changes (${steps.length})</summary>\n\n${lines.join('')}${more}\n</details>\n`;
}

function objectsSection({ objects }: Plan): string {
  const lines = objects.map(({ outcome, ...object }) => `- ${outcome} ${code(placeOf(object))}\n`);
  return lines.length === 0 ? '' : `**Other objects**\n\n${lines.join('')}`;
}

function blockedSection({ missing, blocked }: Plan): string {
  const lines = [
    ...missing.map(
      ({ from, path, to }) =>
        `- ${code(placeOf(from))}: ${code(path)} references ${code(placeOf(to))}, which does not exist\n`,
    ),
    ...blocked.map((object) => `- ${code(placeOf(object))}: ${cell(object.message)}\n`),
  ];
  return lines.length === 0 ? '' : `**Blocked**\n\n${lines.join('')}`;
}

function unsettledSection({ isSettled, unsettled }: Plan): string {
  if (isSettled) return '';
  const lines = unsettled.map((object) => `- ${code(placeOf(object))}: ${cell(object.message)}\n`);
  return `**Not settled**\n\n${lines.join('')}`;
}

function hooksSection({ assumedHooks }: Plan): string {
  const names = [...new Set(assumedHooks.map(({ hook, handler }) => `- ${code(hook)} (${cell(handler)})\n`))];
  return names.length === 0 ? '' : `**Hooks not called, assumed not to block**\n\n${names.join('')}`;
}

interface Place {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

function placeOf({ kind, namespace, name }: Place): string {
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** Escapes text of conditions, which may contain line breaks, table separators and HTML. */
function cell(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}
