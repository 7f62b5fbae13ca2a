/** A text that is not YAML, or not YAML that JSON can hold. */
export class YamlError extends Error {
  constructor(message: string, line?: number) {
    super(`error converting YAML to JSON: yaml: ${line === undefined ? '' : `line ${line}: `}${message}`);
    this.name = 'YamlError';
  }
}
