import type { FunctionDeclaration, Overload } from '../library/index.js';
import type {
  Call,
  Comprehension,
  Expression,
  ListLiteral,
  MapLiteral,
  Select,
  StructLiteral,
} from '../syntax/index.js';
import { CompileError, type Issue, Operator, parse, qualifiedName } from '../syntax/index.js';
import type { CelType } from '../types/index.js';
import * as cel from '../types/index.js';
import type { CheckedExpression, Reference, ResolvedCall } from './checked.js';
import { type Environment, typeNamed } from './environment.js';
import { literalIssues } from './literal-checks.js';

/** Parses and type-checks an expression. Throws a CompileError with all errors. */
export function check(source: string, env: Environment): CheckedExpression {
  const root = parse(source);
  const checker = new Checker(env);
  const resultType = checker.run(root);
  if (checker.issues.length > 0) throw new CompileError(source, checker.issues);
  const checked = { source, root, resultType, ...checker.findings() };
  const issues = literalIssues(checked);
  if (issues.length > 0) throw new CompileError(source, issues);
  return checked;
}

interface Scope {
  readonly names: ReadonlyMap<string, CelType>;
  readonly outer?: Scope;
}

class Checker {
  readonly issues: Issue[] = [];
  private readonly types = new Map<number, CelType>();
  private readonly references = new Map<number, Reference>();
  private readonly calls = new Map<number, ResolvedCall>();
  private readonly variables = new Set<string>();
  private readonly known = new cel.Substitutions();
  private freeVariables = 0;
  private scope: Scope | undefined;

  constructor(private readonly env: Environment) {}

  run(root: Expression): CelType {
    const type = this.visit(root);
    for (const [id, found] of this.types) this.types.set(id, cel.substitute(this.known, found, true));
    return cel.substitute(this.known, type, true);
  }

  findings(): Pick<CheckedExpression, 'types' | 'references' | 'calls' | 'variables'> {
    return { types: this.types, references: this.references, calls: this.calls, variables: this.variables };
  }

  private report(offset: number, message: string): CelType {
    this.issues.push({ offset, message });
    return cel.errorType;
  }

  private assignable(from: CelType, to: CelType): boolean {
    return cel.assign(this.known, [from], [to]);
  }

  private freeVariable(): CelType {
    return cel.parameterType(`_var${this.freeVariables++}`);
  }

  private visit(node: Expression): CelType {
    const type = this.typeOf(node);
    this.types.set(node.id, type);
    return type;
  }

  private typeOf(node: Expression): CelType {
    switch (node.kind) {
      case 'literal':
        return literalType(node.literal.type);
      case 'identifier':
        return this.name(node.id, node.name) ?? this.undeclared(node.offset, node.name);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case 'struct':
        return this.struct(node);
      case 'comprehension':
        return this.comprehension(node);
    }
  }

  private undeclared(offset: number, name: string): CelType {
    return this.report(offset, `undeclared reference to '${name}' (in container '')`);
  }

  private name(id: number, written: string): CelType | undefined {
    const name = written.replace(/^\./, '');
    for (let scope = this.scope; scope !== undefined; scope = scope.outer) {
      const local = scope.names.get(name);
      if (local !== undefined) {
        this.references.set(id, { name });
        return local;
      }
    }
    const variable = this.env.variables.get(name);
    if (variable !== undefined) {
      this.references.set(id, { name });
      this.variables.add(name);
      return variable;
    }
    const type = typeNamed(this.env, name);
    if (type === undefined) return undefined;
    this.references.set(id, { name, constant: type });
    return cel.typeOfType(type);
  }

  private select(node: Select): CelType {
    const dotted = qualifiedName(node);
    const named = dotted === undefined ? undefined : this.name(node.id, dotted);
    if (named !== undefined) return named;
    const field = this.field(node.operand, node.field, node.offset, false);
    return node.testOnly ? cel.boolType : cel.substitute(this.known, field, false);
  }

  private field(operand: Expression, field: string, offset: number, isOptional: boolean): CelType {
    const operandType = cel.substitute(this.known, this.visit(operand), false);
    const inner = cel.unwrapOptional(operandType);
    const result = this.fieldOf(inner ?? operandType, field, offset);
    return inner !== undefined || isOptional ? cel.optionalType(result) : result;
  }

  private fieldOf(target: CelType, field: string, offset: number): CelType {
    switch (target.kind) {
      case 'map':
        return cel.secondParameter(target);
      case 'struct':
        return target.open === true
          ? cel.dynType
          : (target.fields?.get(field) ?? this.report(offset, `undefined field '${field}'`));
      case 'parameter':
        this.assignable(cel.dynType, target);
        return cel.dynType;
      case 'dyn':
      case 'error':
        return cel.dynType;
      default:
        this.report(offset, `type '${cel.formatType(target)}' does not support field selection`);
        return cel.dynType;
    }
  }

  private call(node: Call): CelType {
    if (node.function === Operator.optionalSelect) return this.optionalSelect(node);
    const args = node.args.map((arg) => this.visit(arg));
    if (node.target === undefined) {
      const name = node.function.replace(/^\./, '');
      const declaration = this.env.functions.find(name);
      return declaration === undefined
        ? this.undeclared(node.offset, node.function)
        : this.resolve(node, declaration, args, false);
    }
    const prefix = qualifiedName(node.target);
    const qualified = prefix === undefined ? undefined : this.env.functions.find(`${prefix}.${node.function}`);
    if (qualified !== undefined) return this.resolve(node, qualified, args, false);
    const target = this.visit(node.target);
    const declaration = this.env.functions.find(node.function);
    if (declaration === undefined) return this.undeclared(node.offset, node.function);
    return this.resolve(node, declaration, [target, ...args], true);
  }

  private optionalSelect(node: Call): CelType {
    const [operand, name] = node.args;
    if (operand === undefined || name?.kind !== 'literal' || name.literal.type !== 'string') {
      return this.report(node.offset, 'unsupported optional field selection');
    }
    const type = this.field(operand, name.literal.value, node.offset, true);
    return cel.substitute(this.known, type, false);
  }

  private resolve(node: Call, declaration: FunctionDeclaration, args: readonly CelType[], hasTarget: boolean): CelType {
    if (declaration.name === Operator.and || declaration.name === Operator.or)
      return this.logical(node, declaration, args);
    const found = this.matching(declaration, args, hasTarget);
    if (found.length === 0) {
      const shown = args.map((type) => cel.substitute(this.known, type, true));
      const signature = cel.formatSignature(shown, hasTarget);
      return this.report(node.offset, `found no matching overload for '${declaration.name}' applied to '${signature}'`);
    }
    this.calls.set(node.id, { declaration, overloads: found.map((match) => match.overload), hasTarget });
    return found
      .map((match) => match.result)
      .reduce((a, b) => (a.kind === 'dyn' || cel.sameType(a, b) ? a : cel.dynType));
  }

  private matching(
    declaration: FunctionDeclaration,
    args: readonly CelType[],
    hasTarget: boolean,
  ): { overload: Overload; result: CelType }[] {
    const found: { overload: Overload; result: CelType }[] = [];
    for (const overload of declaration.overloads) {
      const { signature } = overload;
      if (signature.isMember !== hasTarget || signature.args.length !== args.length) continue;
      const fresh = new cel.Substitutions(signature.parameters.map((name) => [name, this.freeVariable()] as const));
      const parameters = signature.args.map((type) => cel.substitute(fresh, type, false));
      if (!cel.assign(this.known, args, parameters)) continue;
      found.push({
        overload,
        result: cel.substitute(this.known, cel.substitute(fresh, signature.result, false), false),
      });
    }
    return found;
  }

  private logical(node: Call, declaration: FunctionDeclaration, args: readonly CelType[]): CelType {
    let isValid = true;
    for (const [index, type] of args.entries()) {
      if (this.assignable(type, cel.boolType)) continue;
      isValid = false;
      this.report(node.args[index]?.offset ?? node.offset, `expected type 'bool' but found '${cel.formatType(type)}'`);
    }
    this.calls.set(node.id, { declaration, overloads: declaration.overloads, hasTarget: false });
    return isValid ? cel.boolType : cel.errorType;
  }

  /** Returns the type inside the optional, for an element of a literal that is marked with `?`. */
  private unwrapElement(type: CelType, offset: number): CelType {
    const inner = cel.unwrapOptional(type);
    if (inner !== undefined || type.kind === 'dyn') return inner ?? type;
    return this.mismatch(offset, cel.optionalType(type), type);
  }

  private mismatch(offset: number, expected: CelType, actual: CelType): CelType {
    return this.report(offset, `expected type '${cel.formatType(expected)}' but found '${cel.formatType(actual)}'`);
  }

  private join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.assignable(previous, current) ? cel.mostGeneral(previous, current) : cel.dynType;
  }

  private list(node: ListLiteral): CelType {
    let element: CelType | undefined;
    for (const [index, item] of node.elements.entries()) {
      const type = this.visit(item);
      element = this.join(element, node.optional.has(index) ? this.unwrapElement(type, item.offset) : type);
    }
    return cel.listType(element ?? this.freeVariable());
  }

  private map(node: MapLiteral): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of node.entries) {
      key = this.join(key, this.visit(entry.key));
      const type = this.visit(entry.value);
      value = this.join(value, entry.optional ? this.unwrapElement(type, entry.value.offset) : type);
    }
    return cel.mapType(key ?? this.freeVariable(), value ?? this.freeVariable());
  }

  private struct(node: StructLiteral): CelType {
    const name = node.typeName.replace(/^\./, '');
    const type = typeNamed(this.env, name);
    if (type === undefined) {
      const variable = this.env.variables.get(name);
      for (const entry of node.entries) this.visit(entry.value);
      return variable !== undefined
        ? this.report(node.offset, `'${variable.name}' is not a type`)
        : this.undeclared(node.offset, node.typeName);
    }
    if (type.kind !== 'struct') return this.report(node.offset, `'${name}' is not a message type`);
    for (const entry of node.entries) {
      const given = this.visit(entry.value);
      const value = entry.optional ? this.unwrapElement(given, entry.value.offset) : given;
      const fieldType = this.fieldOf(type, entry.field, entry.offset);
      if (this.assignable(fieldType, value)) continue;
      const expected = `expected type of field '${entry.field}' is '${cel.formatType(fieldType)}'`;
      this.report(entry.offset, `${expected} but provided type is '${cel.formatType(value)}'`);
    }
    return type;
  }

  private comprehension(node: Comprehension): CelType {
    const range = cel.substitute(this.known, this.visit(node.range), false);
    const accumulator = this.visit(node.initial);
    const outer = this.scope;
    const accumulated: Scope = { names: new Map([[node.accumulator, accumulator]]), outer };
    const [first, second] = this.iterated(node, range);
    const names = new Map([[node.variable, first]]);
    if (node.variable2 !== undefined) names.set(node.variable2, second);
    this.scope = { names, outer: accumulated };
    this.expect(node.condition, cel.boolType);
    this.expect(node.step, accumulator);
    this.scope = accumulated;
    const result = this.visit(node.result);
    this.scope = outer;
    return cel.substitute(this.known, result, false);
  }

  private expect(node: Expression, expected: CelType): void {
    const type = this.visit(node);
    if (!this.assignable(expected, type)) this.mismatch(node.offset, expected, type);
  }

  /** Returns the types of the iteration variables: the element or key, or with two variables the index or key and the value. */
  private iterated(node: Comprehension, range: CelType): readonly [CelType, CelType] {
    const isPair = node.variable2 !== undefined;
    switch (range.kind) {
      case 'list': {
        const element = cel.firstParameter(range);
        return isPair ? [cel.intType, element] : [element, element];
      }
      case 'map':
        return [cel.firstParameter(range), cel.secondParameter(range)];
      case 'dyn':
      case 'error':
      case 'parameter':
        this.assignable(cel.dynType, range);
        return [cel.dynType, cel.dynType];
      default: {
        const shown = cel.formatType(range);
        const message = `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`;
        this.report(node.range.offset, message);
        return [cel.errorType, cel.errorType];
      }
    }
  }
}

function literalType(type: 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'bool' | 'null'): CelType {
  switch (type) {
    case 'int':
      return cel.intType;
    case 'uint':
      return cel.uintType;
    case 'double':
      return cel.doubleType;
    case 'string':
      return cel.stringType;
    case 'bytes':
      return cel.bytesType;
    case 'bool':
      return cel.boolType;
    case 'null':
      return cel.nullType;
  }
}
