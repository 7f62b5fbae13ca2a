export {
  ACCUMULATOR,
  type Call,
  childrenOf,
  type Comprehension,
  type Expression,
  isBinding,
  type ListLiteral,
  type LiteralValue,
  type MapLiteral,
  Operator,
  qualifiedName,
  type Select,
  type StructLiteral,
} from './ast.js';
export { parse } from './parser.js';
export { CompileError, type Issue } from './source.js';
