/** Invalid YAML, or YAML that cannot be converted to JSON. */
export class YamlError extends Error {
  constructor(message: string, line?: number) {
    super(`error converting YAML to JSON: yaml: ${line === undefined ? '' : `line ${line}: `}${message}`);
    this.name = 'YamlError';
  }
}
