import { depthMax, parsePipeline } from './parse-pipeline.js';
import { type Piece, splitTemplate } from './split-template.js';
import { TemplateError } from './template-error.js';
import type { Node } from './template-nodes.js';

type Block = 'if' | 'with' | 'range';

interface Cursor {
  readonly pieces: readonly Piece[];
  at: number;
}

export function parseTemplate(template: string): readonly Node[] {
  const { nodes, end } = parseList({ pieces: splitTemplate(template), at: 0 }, 0, false);
  if (end !== undefined) throw new TemplateError(`unexpected {{${end.slice(0, 4).trim()}}}`);
  return nodes;
}

/** Parses nodes up to the terminating action, which is returned: `end`, `else` or `else if …`. */
function parseList(cursor: Cursor, depth: number, inRange: boolean): { readonly nodes: Node[]; readonly end?: string } {
  if (depth > depthMax) throw new TemplateError(`conditions are nested deeper than ${depthMax}`);
  const nodes: Node[] = [];
  while (cursor.at < cursor.pieces.length) {
    const piece = cursor.pieces[cursor.at];
    cursor.at += 1;
    if (piece === undefined) break;
    if (piece.kind === 'text') {
      if (piece.text !== '') nodes.push(piece);
    } else if (/^(?:end|else)\b/.test(piece.text)) return { nodes, end: piece.text };
    else nodes.push(...parseAction(piece.text, cursor, depth, inRange));
  }
  return { nodes };
}

function parseAction(action: string, cursor: Cursor, depth: number, inRange: boolean): Node[] {
  if (action.startsWith('/*')) return [];
  const [, keyword = '', rest = ''] = /^([a-z]+)\b\s*([\s\S]*)$/.exec(action) ?? [];
  if (keyword === 'if' || keyword === 'with' || keyword === 'range') {
    return [parseBlock(keyword, rest, cursor, depth, inRange || keyword === 'range')];
  }
  if (keyword === 'break' || keyword === 'continue') {
    if (!inRange) throw new TemplateError(`{{${keyword}}} outside {{range}}`);
    return [{ kind: keyword }];
  }
  if (['template', 'define', 'block'].includes(keyword))
    throw new TemplateError(`{{${keyword}}} is not supported: named templates are not available`);
  return [{ kind: 'print', pipeline: parsePipeline(action) }];
}

function parseBlock(kind: Block, condition: string, cursor: Cursor, depth: number, inRange: boolean): Node {
  const pipeline = parsePipeline(condition);
  const then = parseList(cursor, depth + 1, inRange);
  if (then.end === undefined) throw new TemplateError(`unexpected EOF: {{${kind}}} without {{end}}`);
  if (then.end === 'end') return { kind, pipeline, then: then.nodes, otherwise: [] };
  const [, chained, next = ''] = /^else\s+(if|with)\b\s*([\s\S]*)$/.exec(then.end) ?? [];
  if (chained === 'if' || chained === 'with') {
    const otherwise = [parseBlock(chained, next, cursor, depth + 1, inRange)];
    return { kind, pipeline, then: then.nodes, otherwise };
  }
  const otherwise = parseList(cursor, depth + 1, inRange);
  if (then.end !== 'else' || otherwise.end !== 'end') throw new TemplateError(`{{else}} without {{end}}`);
  return { kind, pipeline, then: then.nodes, otherwise: otherwise.nodes };
}
