/** One way in which a value does not fit its schema; `path` as conflict messages spell it. */
export interface TypedProblem {
  readonly path: string;
  readonly message: string;
}

/** Raised where a value cannot be read with its schema at all. */
export class TypedError extends Error {
  constructor(readonly problems: readonly TypedProblem[]) {
    super(formatProblems(problems));
    this.name = 'TypedError';
  }
}

function formatProblems(problems: readonly TypedProblem[]): string {
  const texts = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return texts.length === 1 ? (texts[0] as string) : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}
