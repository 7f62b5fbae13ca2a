/** One mismatch between a value and its schema. `path` has the format of conflict messages. */
export interface TypedProblem {
  readonly path: string;
  readonly message: string;
}

/** A value that cannot be read with its schema. */
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
