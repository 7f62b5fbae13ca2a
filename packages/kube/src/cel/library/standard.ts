import { Operator } from '../syntax/index.js';
import type { Value } from '../values/index.js';
import { CelList, CelMap, codePointCount, compare, equal, Failure, noSuchOverload } from '../values/index.js';
import { add, divide, modulo, multiply, negate, subtract } from './arithmetic.js';
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toType, toUint } from './conversions.js';
import type { Implementation, Library, OverloadLine } from './function.js';
import { asText } from './function.js';
import { matches } from './regex.js';

const NUMBERS = ['int', 'uint', 'double'] as const;
const ORDERED = ['bool', 'string', 'bytes', 'timestamp', 'duration'] as const;

/** Returns the overloads of a comparison, with ids such as `less_int64_double`. The ids matter only for cost rules. */
function comparison(name: string, test: (order: -1 | 0 | 1) => boolean): readonly OverloadLine[] {
  const implementation: Implementation = (a = null, b = null) => {
    const order = compare(a, b);
    if (order instanceof Failure) return order;
    if (order === undefined) return new Failure('NaN values cannot be ordered');
    return test(order);
  };
  const same = ORDERED.map((type): OverloadLine => [`${name}_${type}`, `(${type}, ${type}): bool`, implementation]);
  const crossed = NUMBERS.flatMap((left) =>
    NUMBERS.map((right): OverloadLine => [`${name}_${left}_${right}`, `(${left}, ${right}): bool`, implementation]),
  );
  return [...same, ...crossed];
}

function each(name: string, types: readonly string[], implementation: Implementation): readonly OverloadLine[] {
  return types.map((type) => [`${name}_${type}`, `(${type}, ${type}): ${type}`, implementation]);
}

function convert(to: string, from: readonly string[], implementation: Implementation): readonly OverloadLine[] {
  return from.map((type) => [`${type}_to_${to}`, `(${type}): ${to}`, implementation]);
}

function sizeOf(value: Value = null): Value {
  if (typeof value === 'string') return BigInt(codePointCount(value));
  if (value instanceof CelList || value instanceof CelMap) return BigInt(value.size);
  return value instanceof Uint8Array ? BigInt(value.length) : noSuchOverload();
}

function isIn(element: Value = null, collection: Value = null): Value {
  if (collection instanceof CelMap) {
    const found = collection.find(element);
    return found instanceof Failure ? found : found !== undefined;
  }
  if (!(collection instanceof CelList)) return noSuchOverload();
  let failure: Failure | undefined;
  for (let index = 0; index < collection.size; index += 1) {
    const same = equal(collection.at(index), element);
    if (same === true) return true;
    if (same instanceof Failure) failure ??= same;
  }
  return failure ?? false;
}

function not(value: Value = null): Value {
  return typeof value === 'boolean' ? !value : noSuchOverload();
}

/** Operators and standard functions, whose dispatch errors contain no signature. */
export const standardLibrary: Library = {
  [Operator.conditional]: [['conditional', '(bool, A, A): A', noSuchOverload]],
  [Operator.and]: [['logical_and', '(bool, bool): bool', noSuchOverload]],
  [Operator.or]: [['logical_or', '(bool, bool): bool', noSuchOverload]],
  [Operator.not]: [['logical_not', '(bool): bool', not]],
  [Operator.notStrictlyFalse]: [['not_strictly_false', '(bool): bool', (value) => value !== false]],
  [Operator.equals]: [['equals', '(A, A): bool', (a = null, b = null) => equal(a, b)]],
  [Operator.notEquals]: [['not_equals', '(A, A): bool', (a = null, b = null) => not(equal(a, b))]],
  [Operator.add]: [
    ...each('add', ['bytes', 'double'], add),
    ['add_duration_duration', '(duration, duration): duration', add],
    ['add_duration_timestamp', '(duration, timestamp): timestamp', add],
    ['add_timestamp_duration', '(timestamp, duration): timestamp', add],
    ['add_int64', '(int, int): int', add],
    ['add_list', '(list(A), list(A)): list(A)', add],
    ...each('add', ['string', 'uint'], add),
  ],
  [Operator.subtract]: [
    ['subtract_double', '(double, double): double', subtract],
    ['subtract_duration_duration', '(duration, duration): duration', subtract],
    ['subtract_int64', '(int, int): int', subtract],
    ['subtract_timestamp_duration', '(timestamp, duration): timestamp', subtract],
    ['subtract_timestamp_timestamp', '(timestamp, timestamp): duration', subtract],
    ['subtract_uint64', '(uint, uint): uint', subtract],
  ],
  [Operator.multiply]: each('multiply', ['double', 'int', 'uint'], multiply),
  [Operator.divide]: each('divide', ['double', 'int', 'uint'], divide),
  [Operator.modulo]: each('modulo', ['int', 'uint'], modulo),
  [Operator.negate]: [
    ['negate_double', '(double): double', negate],
    ['negate_int64', '(int): int', negate],
  ],
  [Operator.less]: comparison('less', (order) => order < 0),
  [Operator.lessEquals]: comparison('less_equals', (order) => order <= 0),
  [Operator.greater]: comparison('greater', (order) => order > 0),
  [Operator.greaterEquals]: comparison('greater_equals', (order) => order >= 0),
  [Operator.index]: [
    ['index_list', '(list(A), int): A', noSuchOverload],
    ['index_map', '(map(A, B), A): B', noSuchOverload],
    ['optional_list_index_int', '(optional(list(A)), int): optional(A)', noSuchOverload],
    ['optional_map_index_value', '(optional(map(A, B)), A): optional(B)', noSuchOverload],
  ],
  [Operator.optionalIndex]: [
    ['list_optindex_optional_int', '(list(A), int): optional(A)', noSuchOverload],
    ['optional_list_optindex_optional_int', '(optional(list(A)), int): optional(A)', noSuchOverload],
    ['map_optindex_optional_value', '(map(A, B), A): optional(B)', noSuchOverload],
    ['optional_map_optindex_optional_value', '(optional(map(A, B)), A): optional(B)', noSuchOverload],
  ],
  [Operator.in]: [
    ['in_list', '(A, list(A)): bool', isIn],
    ['in_map', '(A, map(A, B)): bool', isIn],
  ],
  size: ['bytes', 'list(A)', 'map(A, B)', 'string'].flatMap((type): OverloadLine[] => [
    [`size_${type}`, `(${type}): int`, sizeOf],
    [`${type}_size`, `${type}.(): int`, sizeOf],
  ]),
  type: [['type', '(A): type(A)', (value = null) => toType(value)]],
  contains: [['contains_string', 'string.(string): bool', (text, part) => asText(text).includes(asText(part))]],
  endsWith: [['ends_with_string', 'string.(string): bool', (text, part) => asText(text).endsWith(asText(part))]],
  startsWith: [['starts_with_string', 'string.(string): bool', (text, part) => asText(text).startsWith(asText(part))]],
  matches: [
    ['matches', '(string, string): bool', matches],
    ['matches_string', 'string.(string): bool', matches],
  ],
};

/** Conversions between the types of the language. */
export const conversionLibrary: Library = {
  dyn: [['to_dyn', '(A): dyn', (value = null) => value]],
  bool: convert('bool', ['bool', 'string'], (value = null) => toBool(value)),
  bytes: convert('bytes', ['bytes', 'string'], (value = null) => toBytes(value)),
  double: convert('double', ['double', 'int', 'string', 'uint'], (value = null) => toDouble(value)),
  duration: convert('duration', ['duration', 'int', 'string'], (value = null) => toDuration(value)),
  int: convert('int', ['int', 'double', 'duration', 'string', 'timestamp', 'uint'], (value = null) => toInt(value)),
  string: convert(
    'string',
    ['string', 'bool', 'bytes', 'double', 'duration', 'int', 'timestamp', 'uint'],
    (value = null) => toText(value),
  ),
  timestamp: convert('timestamp', ['timestamp', 'int', 'string'], (value = null) => toTimestamp(value)),
  uint: convert('uint', ['uint', 'double', 'int', 'string'], (value = null) => toUint(value)),
};
