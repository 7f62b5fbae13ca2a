import { Composer, type Document, Lexer, Parser, type ParsedNode, type Tags } from 'yaml';
import { octalTag } from './octal-tag.js';
import { YamlError } from './yaml-error.js';

/**
 * Maximum depth. The composer recurses with large stack frames, and a stack overflow inside it can crash the process. No real
 * document is nested this deeply.
 */
const yamlDepthMax = 250;

export type YamlDocument = Document.Parsed<ParsedNode>;

/** Parses the documents of a text. Limits depth and number of tokens before it builds a tree. */
export function composeYaml(text: string, tokensMax: number): YamlDocument[] {
  const documents = [...new Composer({ ...composerOptions }).compose(readTokens(text, tokensMax), false, text.length)];
  for (const document of documents) {
    const error = document.errors[0];
    if (error !== undefined) throw new YamlError(error.message, lineOf(text, error.pos[0]));
  }
  return documents;
}

function readTokens(
  text: string,
  tokensMax: number,
): ReturnType<Parser['end']> extends Generator<infer Token> ? Token[] : never {
  const parser = new Parser();
  const tokens = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    count += 1;
    if (parser.stack.length > yamlDepthMax) throw new YamlError('exceeded max depth', lineOf(text, parser.offset));
    if (count > tokensMax) throw new YamlError('document is too complex', lineOf(text, parser.offset));
  }
  tokens.push(...parser.end());
  return tokens;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let index = text.indexOf('\n'); index >= 0 && index < offset; index = text.indexOf('\n', index + 1)) line += 1;
  return line;
}

/**
 * Returns the tags of YAML 1.1 as kubectl reads it: no base 60 numbers, dates are strings, no collections other than maps and
 * lists.
 */
function kubernetesTags(tags: Tags): Tags {
  const known = tags.filter((tag) => {
    if (typeof tag === 'string') return !['intTime', 'floatTime', 'timestamp', 'omap', 'pairs', 'set'].includes(tag);
    return !('format' in tag && tag.format === 'TIME') && !/:(?:timestamp|omap|pairs|set)$/.test(tag.tag);
  });
  return [...known, octalTag];
}

const composerOptions = {
  version: '1.1',
  schema: 'yaml-1.1',
  merge: true,
  // Allow duplicate keys here: they are reported with their paths, and the last value is used.
  uniqueKeys: false,
  intAsBigInt: true,
  logLevel: 'silent',
  customTags: kubernetesTags,
} as const;
