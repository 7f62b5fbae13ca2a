import { ownerships } from './ownership.js';
import { referenceFields } from './references.js';

/** Returns the owner references as a Mermaid diagram. */
export function ownershipDiagram(): string {
  const lines = ownerships.map(({ child, owner, controller }) => {
    const arrow = controller === 'yes' ? '-->' : '-.->';
    const label = controller === 'with a topology' ? '|controller with a topology|' : '';
    return `  ${idOf(owner)} ${arrow}${label} ${idOf(child)}`;
  });
  return ['flowchart TD', ...nodes(ownerships.flatMap(({ child, owner }) => [owner, child])), ...lines].join('\n');
}

/** Returns the object references in specs as a Mermaid diagram. */
export function referenceDiagram(): string {
  const drawn = referenceFields.filter(({ to }) => to !== 'Cluster');
  const lines = drawn.map(({ from, path, to }) => `  ${idOf(from)} -->|${shortPath(path)}| ${idOf(to)}`);
  return ['flowchart LR', ...nodes(drawn.flatMap(({ from, to }) => [from, to])), ...new Set(lines)].join('\n');
}

function nodes(names: readonly string[]): string[] {
  return [...new Set(names)].map((name) => `  ${idOf(name)}["${name}"]`);
}

function idOf(name: string): string {
  return name.replaceAll(' ', '_');
}

function shortPath(path: string): string {
  return path.replace(/^(spec|status)\./, '').replaceAll('[]', ' each');
}
