import { StatusError } from '../errors/index.js';
import { formatFieldPaths } from './field-path.js';
import type { FieldSet } from './field-set.js';
import { quoteGo } from '../text/go-format.js';
import type { Manager, Managers } from './managers.js';
import { compareText } from './path-key.js';

/** Returns the 409 error of an apply that would change fields of other managers, with one cause per field and manager. */
export function applyConflict(managers: Managers, conflicts: ReadonlyMap<string, FieldSet>): StatusError {
  const sorted = [...conflicts].sort(([left], [right]) => compareText(left, right));
  const found = sorted.map(([identity, set]) => ({
    manager: describeManager(managers.get(identity) as Manager),
    paths: formatFieldPaths(set),
  }));
  const causes = found.flatMap(({ manager, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field })),
  );
  return new StatusError({ code: 409, reason: 'Conflict', message: conflictMessage(found), details: { causes } });
}

function conflictMessage(found: readonly { readonly manager: string; readonly paths: readonly string[] }[]): string {
  const count = found.reduce((sum, { paths }) => sum + paths.length, 0);
  const [first] = found;
  if (count === 1 && first !== undefined)
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.paths[0]}`;
  const lines = found.flatMap(({ manager, paths }) => [
    `conflicts with ${manager}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

function describeManager(manager: Manager): string {
  const subresource = manager.subresource === '' ? '' : ` with subresource ${quoteGo(manager.subresource)}`;
  const version = manager.operation === 'Update' ? ` using ${manager.apiVersion}` : '';
  return `${quoteGo(manager.name)}${subresource}${version}`;
}
