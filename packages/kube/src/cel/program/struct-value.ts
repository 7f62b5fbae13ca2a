import type { CelType } from '../types/index.js';
import type { Failure, Value } from '../values/index.js';
import { equal, Opaque } from '../values/index.js';

/** A message that an expression constructed: `Object.spec{replicas: 1}`. */
export class StructValue extends Opaque {
  constructor(
    readonly type: CelType,
    readonly fields: ReadonlyMap<string, Value>,
  ) {
    super();
  }

  equals(other: Opaque): boolean | Failure {
    if (
      !(other instanceof StructValue) ||
      this.type.name !== other.type.name ||
      this.fields.size !== other.fields.size
    ) {
      return false;
    }
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name);
      const same = theirs === undefined ? false : equal(value, theirs);
      if (same !== true) return same;
    }
    return true;
  }
}
