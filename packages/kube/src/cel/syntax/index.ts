export * from './ast.js';
export { parse } from './parser.js';
export { CompileError, formatIssues, type Issue } from './source.js';
