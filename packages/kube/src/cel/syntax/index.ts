export * from './ast.js';
export { parse } from './parser.js';
export { CompileError, type Issue } from './source.js';
