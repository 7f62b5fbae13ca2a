// Words and patterns that Slipway's text avoids, each with its replacement. `npm run language -- packages/kube docs` lists findings.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** Who reads a text: users (`message`), contributors (`comment`, `title`), or readers of the docs (`page`). */
export type TextKind = 'message' | 'comment' | 'title' | 'page';

export interface Text {
  readonly path: string;
  readonly line: number;
  readonly kind: TextKind;
  readonly text: string;
}

export interface Finding extends Text {
  readonly instead: string;
}

interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Kinds of text to which the rule applies. Defaults to all kinds. */
  readonly kinds?: readonly TextKind[];
}

const userFacing: readonly TextKind[] = ['message', 'page'];

const rules: readonly Rule[] = [
  {
    pattern: /\b(nobody|somebody|whoever|anybody|everybody|as whom|to whom|by whom)\b/i,
    instead: 'name the subject: the client, the controller, the user',
  },
  {
    pattern:
      /(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more than\b|later than\b|older than\b|greater than\b|op\b)/i,
    instead: 'negate the verb: "is not a valid name"',
  },
  { pattern: /(?<!\bthere )\b(is|are) none\b/i, instead: '"invalid x", "x is not set" or "no x exists"' },
  {
    pattern: /\b(that|what|which) (is|are|was|were) there\b|\bwhat there is\b|\b(is|are|was|were) not there\b/i,
    instead: '"existing", "does not exist" or "not found"',
  },
  { pattern: /\b(tells?|told)\b/i, instead: '"reports", "logs", "records an event" or "returns"' },
  { pattern: /\b(says?|said)\b/i, instead: '"reports", "shows" or "the message explains"', kinds: userFacing },
  {
    pattern: /\bplay(s|ed|ing)?\b|\bstand-ins?\b|\bcomputed guests?\b/i,
    instead: '"simulate", "simulated", "simulator"',
  },
  {
    pattern: /\blook(s|ed)? (again|at|into)\b|\b(full|a) look\b/i,
    instead: '"reconcile", "resync", "check"',
    kinds: userFacing,
  },
  { pattern: /(?<!-|unknown |[a-z])\bauthorit(y|ies)\b(?!-)/i, instead: '"CA"' },
  { pattern: /\bjudg(e|es|ed|ing|ement)\b/i, instead: '"validate" or "decide"' },
  { pattern: /\bmateriali[sz]/i, instead: '"decode" or "convert to the served version"' },
  { pattern: /\bmachinery\b|\bworlds?\b/i, instead: '"dependencies", "environment", or the name of the port' },
  { pattern: /\bchances?\b/i, instead: '"randomness" or "random source"' },
  { pattern: /\bcomputers?\b/i, instead: '"host"' },
  { pattern: /\bmend(s|ed|ing)?\b/i, instead: '"fix"' },
  { pattern: /\bhear(s|d)?\b/i, instead: '"receive", "read" or "notice"' },
  { pattern: /\banew\b/i, instead: '"again" or "re-create"' },
  { pattern: /\bfor good\b|\bis no more\b|\bare no more\b/i, instead: '"permanently", "no longer exists"' },
  {
    pattern: /\bgo(es)? by\b|\blets? go\b|\bhangs? together\b|\bstands? still\b/i,
    instead: 'the plain verb: "uses", "releases"',
  },
  { pattern: /\b(machine|guest)s? of QEMU\b/i, instead: '"QEMU virtual machine"' },
  { pattern: /\bwants\b(?!=)/, instead: '"requires", "requests" or "the desired state is"', kinds: userFacing },
  { pattern: /\bknows? no\b/i, instead: '"does not recognize"' },
  { pattern: /\b(is|are|was|were) gone\b/i, instead: '"no longer exists" or "was deleted"', kinds: ['message'] },
  {
    pattern: /\b(did|does|do) not answer\b|\bno answer\b/i,
    instead: '"does not respond" or "no response"',
    kinds: ['message', 'comment'],
  },
  { pattern: /\bany more\b/i, instead: '"no longer"', kinds: ['message', 'comment'] },
  { pattern: /\bWithout it, /, instead: '"If not set, ..." or "Defaults to x."', kinds: ['message'] },
  { pattern: /\bof (its|their|your) own\b/i, instead: '"its own x" or "a separate x"', kinds: ['message'] },
  { pattern: /\bby hand\b/i, instead: '"manually"', kinds: ['message'] },
  { pattern: /\bgo(es)? on\b/i, instead: '"continues"', kinds: ['message'] },
  { pattern: /\bAbsent: /, instead: '"Defaults to x." or "If not set, ..."', kinds: ['message'] },
  { pattern: /\bat once\b/i, instead: '"immediately", "together" or "at the same time"' },
  { pattern: /\bin between\b/i, instead: '"in the meantime", or name the two events' },
  { pattern: /\bstands? for\b/i, instead: '"means" or "represents"' },
  { pattern: /\ban? [\w-]+ of (its|their) own\b/i, instead: '"its own x" or "a separate x"' },
  { pattern: /\breplaces? [^.,;:()]{1,60} by (?!name\b|step\b)/i, instead: '"replaces x with y"' },
  { pattern: /\bfrom (then|now|here|(Kubernetes )?v?\d+\.[\w.]+) on\b/i, instead: '"afterwards", "in 1.31 and later"' },
  { pattern: /\bsuggests? to\b/i, instead: '"suggest doing x"' },
  {
    pattern: /(?<!\b(by|until|than|and only)) then[.;](?= |$)/,
    instead: '"If so, …" or "In that case, …"',
    kinds: ['comment', 'message'],
  },
  { pattern: /\b(since|until) when\b/i, instead: '"the time at which"' },
];

/** Sentences of upstream and of Go that are kept, because clients and users compare them. */
const exempt: readonly RegExp[] = [
  /certificate signed by unknown authority/,
  /the requested resource is gone/,
  /must not be set when session affinity is None/,
  /"?\bnobody\b"?( not found|: serviceaccount| has not been registered|\.e")|(class|container|candidate|vm\/) ?"?nobody/,
  /Unsupported value: "World"/,
  // RFC 3986: the authority of a URI.
  /\/\/authority\/path/,
];

const scannedPath = /^(packages|test|bench|scripts|examples|docs)\/.*\.(tsx?|mts|mjs)$|\.md$/;
const skippedPath =
  /(^|\/)(fixtures|testdata|builtin)\/|^scripts\/language(-rules\.test)?\.ts$|\/init-script\.ts$|^docs\/reference\/api\/|^CHANGELOG/;

export function scannedFiles(root: string): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\n')
    .filter((path) => scannedPath.test(path) && !skippedPath.test(path) && existsSync(`${root}/${path}`));
}

export function findingsIn(texts: readonly Text[]): Finding[] {
  return texts.flatMap((text) =>
    rules
      .filter(({ kinds, pattern }) => (kinds?.includes(text.kind) ?? true) && pattern.test(text.text))
      .filter(() => !exempt.some((pattern) => pattern.test(text.text)))
      .map(({ instead }) => ({ ...text, instead })),
  );
}

export function textsOf(root: string, path: string): Text[] {
  const source = readFileSync(`${root}/${path}`, 'utf8');
  return path.endsWith('.md') ? proseOf(path, source) : textsInCode(path, source);
}

/** Returns the lines of a page outside of code blocks, without inline code. */
export function proseOf(path: string, source: string): Text[] {
  const texts: Text[] = [];
  let inBlock = false;
  source.split('\n').forEach((line, index) => {
    if (/^\s*```/.test(line)) inBlock = !inBlock;
    else if (!inBlock && !/^ {4}/.test(line))
      texts.push({ path, line: index + 1, kind: 'page', text: line.replaceAll(/`[^`]*`/g, '``') });
  });
  return texts;
}

/** A syntax node of the parser, reduced to the fields that are used here. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly [key: string]: unknown;
}

const withoutText = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration.source',
  'TSLiteralType',
]);

/** Returns comments, and strings of at least two words. */
export function textsInCode(path: string, source: string): Text[] {
  const { program, comments } = parseSync(path, source);
  const lineAt = lineIndex(source);
  const texts: Text[] = comments.map(({ value, start }) => ({
    path,
    line: lineAt(start),
    kind: 'comment',
    text: value,
  }));
  const stringKind: TextKind = /\.test\.tsx?$|^test\/|^packages\/[^/]+\/test\/|^bench\//.test(path)
    ? 'title'
    : 'message';
  const open: unknown[] = [program];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      open.push(...(next as unknown[]));
      continue;
    }
    const syntax = next as SyntaxNode;
    if (withoutText.has(syntax.type)) continue;
    const text = stringOf(syntax);
    if (text !== undefined && /[a-z][,;:.]? [a-z]/i.test(text))
      texts.push({ path, line: lineAt(syntax.start), kind: stringKind, text });
    for (const [key, value] of Object.entries(syntax)) if (key !== 'loc' && key !== 'range') open.push(value);
  }
  return texts;
}

function stringOf({ type, value }: SyntaxNode): string | undefined {
  if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') return value;
  if (type === 'TemplateElement') return (value as { readonly cooked: string | null }).cooked ?? undefined;
  return undefined;
}

function lineIndex(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
