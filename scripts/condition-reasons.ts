// Collects the condition and wait reasons of the controllers from their source code, for docs/reference/condition-reasons.md.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** Packages with controllers, in the order of the page. */
const packages = [
  'cluster-api',
  'provider-kit',
  'kubeadm',
  'dev',
  'host',
  'kvm',
  'vsphere',
  'drivers',
  'operator',
  'openshift',
] as const;
export type ControllerPackage = (typeof packages)[number];

/** Errors whose first argument is the reason of a condition. */
const reasonErrors: ReadonlySet<string> = new Set(['ReconcileError', 'DriverError', 'PlatformError']);
const reasonPattern = /^[A-Z][A-Za-z0-9]+$/;

/** A syntax node as the parser returns it. */
interface SyntaxNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

interface FoundReasons {
  readonly reasons: Set<string>;
  /** Values of variables named `reason`. They are included if a wait, condition or error of the file uses such a variable. */
  readonly variables: Set<string>;
  usesVariable: boolean;
}

/** Returns the sorted reasons of each package. */
export function declaredReasons(root: string): ReadonlyMap<ControllerPackage, readonly string[]> {
  return new Map(packages.map((name) => [name, reasonsOf(root, name)]));
}

function reasonsOf(root: string, name: ControllerPackage): string[] {
  const list = execFileSync('git', ['ls-files', `packages/${name}/src`], { cwd: root, encoding: 'utf8' });
  const files = list
    .split('\n')
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/testing\/|\/testdata\//.test(path));
  const all = files.flatMap((path) => reasonsIn(path, readFileSync(`${root}/${path}`, 'utf8')));
  return [...new Set(all)].toSorted();
}

/** Returns the reasons in one file. Exported for the test. */
export function reasonsIn(path: string, source: string): string[] {
  const found: FoundReasons = { reasons: new Set(), variables: new Set(), usesVariable: false };
  const open: unknown[] = [parseSync(path, source).program];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) open.push(...(next as unknown[]));
    else {
      const syntax = next as SyntaxNode;
      collect(syntax, found);
      open.push(...Object.values(syntax));
    }
  }
  const all = found.usesVariable ? [...found.reasons, ...found.variables] : [...found.reasons];
  return all.filter((reason) => reasonPattern.test(reason));
}

function collect(syntax: SyntaxNode, found: FoundReasons): void {
  switch (syntax.type) {
    case 'VariableDeclarator':
      collectVariable(syntax, found);
      break;
    case 'CallExpression':
      if (nameOf(syntax['callee']) === 'wait')
        for (const argument of nodesOf(syntax['arguments'])) collectProperty(argument, found);
      break;
    case 'NewExpression':
      if (reasonErrors.has(nameOf(syntax['callee']))) collectFirst(nodesOf(syntax['arguments'])[0], found);
      break;
    case 'ObjectExpression':
      if (nodesOf(syntax['properties']).some((property) => keyOf(property) === 'status'))
        collectProperty(syntax, found);
      break;
    case 'Property': {
      const value = unwrap(syntax['value']);
      if (keyOf(syntax) === 'problem' && value !== undefined) collectProperty(value, found);
      break;
    }
    default:
  }
}

function collectFirst(argument: SyntaxNode | undefined, found: FoundReasons): void {
  if (nameOf(argument) === 'reason') found.usesVariable = true;
  addAll(found.reasons, textsOf(argument));
}

/** Collects reasons from tables, such as `kvmReasons`, and from variables named `reason`. */
function collectVariable(syntax: SyntaxNode, found: FoundReasons): void {
  const name = nameOf(syntax['id']);
  const value = unwrap(syntax['init']);
  if (name === 'reason') addAll(found.variables, textsOf(value));
  if (/[rR]easons$/.test(name) && value?.type === 'ObjectExpression')
    for (const property of nodesOf(value['properties'])) addAll(found.reasons, textsOf(unwrap(property['value'])));
}

function collectProperty(object: SyntaxNode, found: FoundReasons): void {
  if (object.type !== 'ObjectExpression') return;
  for (const property of nodesOf(object['properties'])) {
    if (keyOf(property) !== 'reason') continue;
    if (property['shorthand'] === true) found.usesVariable = true;
    addAll(found.reasons, textsOf(unwrap(property['value'])));
  }
}

/** Returns string literals, including those in both branches of a conditional expression. */
function textsOf(syntax: SyntaxNode | undefined): string[] {
  if (syntax === undefined) return [];
  if (syntax.type === 'Literal') return typeof syntax['value'] === 'string' ? [syntax['value']] : [];
  if (syntax.type === 'ConditionalExpression')
    return [...textsOf(unwrap(syntax['consequent'])), ...textsOf(unwrap(syntax['alternate']))];
  return [];
}

/** Returns the expression inside of parentheses, `as const` and `satisfies`. */
function unwrap(value: unknown): SyntaxNode | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const syntax = value as SyntaxNode;
  return /^(TSAs|TSSatisfies|Parenthesized)Expression$/.test(syntax.type) ? unwrap(syntax['expression']) : syntax;
}

function nodesOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? (value as SyntaxNode[]) : [];
}

function nameOf(value: unknown): string {
  const name = (value as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : '';
}

function keyOf(property: SyntaxNode): string {
  return nameOf(property['key']);
}

function addAll(target: Set<string>, values: readonly string[]): void {
  for (const value of values) target.add(value);
}
