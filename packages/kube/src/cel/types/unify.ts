import type { CelType } from './cel-type.js';
import { dynType, nullType, sameType, typeOfType } from './cel-type.js';

/** The bindings of type variables of one check. Failed attempts are rolled back, not copied. */
export class Substitutions {
  private readonly bound = new Map<string, CelType>();
  private readonly log: { readonly name: string; readonly previous: CelType | undefined }[] = [];

  constructor(entries: Iterable<readonly [string, CelType]> = []) {
    for (const [name, type] of entries) this.bound.set(name, type);
  }

  get(name: string): CelType | undefined {
    return this.bound.get(name);
  }

  set(name: string, type: CelType): void {
    this.log.push({ name, previous: this.bound.get(name) });
    this.bound.set(name, type);
  }

  /** Runs the attempt and rolls back its bindings if it fails. */
  attempt(run: () => boolean): boolean {
    const mark = this.log.length;
    if (run()) return true;
    while (this.log.length > mark) {
      const { name, previous } = this.log.pop() ?? { name: '', previous: undefined };
      if (previous === undefined) this.bound.delete(name);
      else this.bound.set(name, previous);
    }
    return false;
  }
}

/**
 * Returns whether `from` is assignable to `to`, and records the bindings in `substitutions` if it is. `dyn` is assignable in both
 * directions: its type is checked at run time.
 */
export function assign(substitutions: Substitutions, from: readonly CelType[], to: readonly CelType[]): boolean {
  return substitutions.attempt(() => assignAll(substitutions, from, to));
}

function assignAll(substitutions: Substitutions, from: readonly CelType[], to: readonly CelType[]): boolean {
  if (from.length !== to.length) return false;
  return from.every((type, index) => assignOne(substitutions, type, to[index] ?? dynType));
}

function assignOne(substitutions: Substitutions, from: CelType, to: CelType): boolean {
  if (to.kind === 'parameter') {
    const wasBound = substitutions.get(to.name) !== undefined;
    if (bindParameter(substitutions, from, to)) return true;
    if (wasBound) return false;
  }
  if (from.kind === 'parameter') return bindParameter(substitutions, to, from);
  if (isWildcard(from) || isWildcard(to)) return true;
  if (from.kind === 'null') return acceptsNull(to);
  if (to.kind === 'null') return acceptsNull(from);
  return assignConcrete(substitutions, from, to);
}

function assignConcrete(substitutions: Substitutions, from: CelType, to: CelType): boolean {
  if (from.kind !== to.kind) return false;
  switch (from.kind) {
    case 'type':
      return true;
    case 'opaque':
    case 'list':
    case 'map':
      return from.name === to.name && assignAll(substitutions, from.parameters, to.parameters);
    default:
      return sameType(from, to);
  }
}

function bindParameter(substitutions: Substitutions, type: CelType, parameter: CelType): boolean {
  if (type.kind === 'parameter' && type.name === parameter.name) return true;
  const bound = substitutions.get(parameter.name);
  if (bound !== undefined) {
    if (sameType(type, bound)) return true;
    if (!assignOne(substitutions, type, bound)) return false;
    const general = mostGeneral(type, bound);
    if (!occursIn(substitutions, parameter, general)) substitutions.set(parameter.name, general);
    return true;
  }
  if (occursIn(substitutions, parameter, type)) return false;
  substitutions.set(parameter.name, type);
  return true;
}

function isWildcard(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

function acceptsNull(type: CelType): boolean {
  return ['null', 'opaque', 'struct', 'duration', 'timestamp'].includes(type.kind) || sameType(type, nullType);
}

function occursIn(substitutions: Substitutions, parameter: CelType, within: CelType): boolean {
  if (sameType(parameter, within)) return true;
  if (within.kind === 'parameter') {
    const bound = substitutions.get(within.name);
    return bound !== undefined && occursIn(substitutions, parameter, bound);
  }
  return within.parameters.some((inner) => occursIn(substitutions, parameter, inner));
}

/** Returns the more general of two compatible types. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'parameter') return true;
  if (b.kind === 'dyn' || b.kind === 'parameter' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.kind === 'opaque' || a.kind === 'list' || a.kind === 'map') {
    if (a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
    return a.parameters.every((inner, index) => isLessSpecific(inner, b.parameters[index] ?? dynType));
  }
  return sameType(a, b);
}

/** Replaces type variables with their bindings. With `freeToDyn` unbound variables become dyn. */
export function substitute(substitutions: Substitutions, type: CelType, freeToDyn: boolean): CelType {
  if (type.kind === 'parameter') {
    const bound = substitutions.get(type.name);
    if (bound !== undefined) return substitute(substitutions, bound, freeToDyn);
    return freeToDyn ? dynType : type;
  }
  if (type.parameters.length === 0) return type;
  const parameters = type.parameters.map((inner) => substitute(substitutions, inner, freeToDyn));
  if (type.kind === 'type') return typeOfType(parameters[0] ?? dynType);
  return { ...type, parameters };
}
