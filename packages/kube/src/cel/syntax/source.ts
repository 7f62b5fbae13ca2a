/** A compile error of an expression. */
export interface Issue {
  /** UTF-16 offset in the expression, or -1 if the error has no position. */
  readonly offset: number;
  readonly message: string;
}

/** The expression cannot be compiled. `message` is the report that kubectl prints. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
  constructor(
    readonly source: string,
    readonly issues: readonly Issue[],
  ) {
    super(formatIssues(source, issues));
  }
}

/** The maximum number of reported errors. */
const ISSUES_MAX = 100;

/** Formats errors with the source snippet of cel-go, which tools and users match on. */
function formatIssues(source: string, issues: readonly Issue[]): string {
  const sorted = [...issues].sort((a, b) => a.offset - b.offset);
  const shown = sorted.slice(0, ISSUES_MAX).map((issue) => formatIssue(source, issue));
  const rest = sorted.length - shown.length;
  return (rest > 0 ? [...shown, `${rest} more errors were truncated`] : shown).join('\n');
}

function formatIssue(source: string, issue: Issue): string {
  if (issue.offset < 0) return `ERROR: <input>:-1:0: ${issue.message}`;
  const lines = source.split('\n');
  let line = 0;
  let start = 0;
  while (line < lines.length - 1 && start + (lines[line] ?? '').length < issue.offset) {
    start += (lines[line] ?? '').length + 1;
    line += 1;
  }
  const text = lines[line] ?? '';
  const before = Array.from(text.slice(0, Math.max(0, issue.offset - start)));
  const dots = before.map((character) => (isWide(character) ? '．' : '.')).join('');
  const next = Array.from(text.slice(issue.offset - start, issue.offset - start + 2))[0];
  const arrow = next !== undefined && isWide(next) ? '＾' : '^';
  const shown = text.replaceAll('\t', ' ');
  return `ERROR: <input>:${line + 1}:${before.length + 1}: ${issue.message}\n | ${shown}\n | ${dots}${arrow}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
