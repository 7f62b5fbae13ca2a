import type { FunctionTable } from '../library/index.js';
import { baseFunctions } from '../library/index.js';
import type { CelType } from '../types/index.js';
import * as cel from '../types/index.js';

/** The declarations that an expression may use. */
export interface Environment {
  readonly functions: FunctionTable;
  /** Variables by name. A name may contain dots: `authorizer.requestResource` is one variable. */
  readonly variables: ReadonlyMap<string, CelType>;
  /** Message types that the expression may construct, in addition to the types of the language. */
  readonly resolveType?: (name: string) => CelType | undefined;
}

export function environment(variables: Iterable<readonly [string, CelType]>): Environment {
  return { functions: baseFunctions, variables: new Map(variables) };
}

const NAMED_TYPES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', cel.boolType],
  ['bytes', cel.bytesType],
  ['double', cel.doubleType],
  ['google.protobuf.Duration', cel.durationType],
  ['google.protobuf.Timestamp', cel.timestampType],
  ['int', cel.intType],
  ['list', cel.listType(cel.dynType)],
  ['map', cel.mapType(cel.dynType, cel.dynType)],
  ['net.CIDR', cel.namedType('CIDR')],
  ['net.IP', cel.namedType('IP')],
  ['null_type', cel.nullType],
  ['optional_type', cel.optionalType(cel.dynType)],
  ['string', cel.stringType],
  ['type', cel.typeType],
  ['uint', cel.uintType],
]);

/** Returns a type that expressions can use as a value, as in `type(x) == string`. */
export function typeNamed(env: Environment, name: string): CelType | undefined {
  return NAMED_TYPES.get(name) ?? env.resolveType?.(name);
}
