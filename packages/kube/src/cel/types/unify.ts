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
 * True if `from` is assignable to `to`; then `known` records the bindings. `dyn` is assignable in both directions: those
 * checks are done at run time.
 */
export function assign(known: Substitutions, from: readonly CelType[], to: readonly CelType[]): boolean {
  return known.attempt(() => assignAll(known, from, to));
}

function assignAll(known: Substitutions, from: readonly CelType[], to: readonly CelType[]): boolean {
  if (from.length !== to.length) return false;
  return from.every((type, index) => assignOne(known, type, to[index] ?? dynType));
}

function assignOne(known: Substitutions, from: CelType, to: CelType): boolean {
  if (to.kind === 'parameter') {
    const wasBound = known.get(to.name) !== undefined;
    if (bindParameter(known, from, to)) return true;
    if (wasBound) return false;
  }
  if (from.kind === 'parameter') return bindParameter(known, to, from);
  if (isWildcard(from) || isWildcard(to)) return true;
  if (from.kind === 'null') return acceptsNull(to);
  if (to.kind === 'null') return acceptsNull(from);
  return assignConcrete(known, from, to);
}

function assignConcrete(known: Substitutions, from: CelType, to: CelType): boolean {
  if (from.kind !== to.kind) return false;
  switch (from.kind) {
    case 'type':
      return true;
    case 'opaque':
    case 'list':
    case 'map':
      return from.name === to.name && assignAll(known, from.parameters, to.parameters);
    default:
      return sameType(from, to);
  }
}

function bindParameter(known: Substitutions, type: CelType, parameter: CelType): boolean {
  if (type.kind === 'parameter' && type.name === parameter.name) return true;
  const bound = known.get(parameter.name);
  if (bound !== undefined) {
    if (sameType(type, bound)) return true;
    if (!assignOne(known, type, bound)) return false;
    const general = mostGeneral(type, bound);
    if (!occursIn(known, parameter, general)) known.set(parameter.name, general);
    return true;
  }
  if (occursIn(known, parameter, type)) return false;
  known.set(parameter.name, type);
  return true;
}

function isWildcard(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

function acceptsNull(type: CelType): boolean {
  return ['null', 'opaque', 'struct', 'duration', 'timestamp'].includes(type.kind) || sameType(type, nullType);
}

function occursIn(known: Substitutions, parameter: CelType, within: CelType): boolean {
  if (sameType(parameter, within)) return true;
  if (within.kind === 'parameter') {
    const bound = known.get(within.name);
    return bound !== undefined && occursIn(known, parameter, bound);
  }
  return within.parameters.some((inner) => occursIn(known, parameter, inner));
}

/** The more general of two compatible types. */
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

/** Replaces type variables by their bindings. With `freeToDyn` unbound variables become dyn. */
export function substitute(known: Substitutions, type: CelType, freeToDyn: boolean): CelType {
  if (type.kind === 'parameter') {
    const bound = known.get(type.name);
    if (bound !== undefined) return substitute(known, bound, freeToDyn);
    return freeToDyn ? dynType : type;
  }
  if (type.parameters.length === 0) return type;
  const parameters = type.parameters.map((inner) => substitute(known, inner, freeToDyn));
  if (type.kind === 'type') return typeOfType(parameters[0] ?? dynType);
  return { ...type, parameters };
}
