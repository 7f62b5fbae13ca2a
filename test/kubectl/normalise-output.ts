/** Removes values that differ between runs: ages, times, IDs, versions, addresses. */
export function normaliseOutput(text: string, port: number): string {
  return (
    text
      .replaceAll(`127.0.0.1:${port}`, '<server>')
      .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
      .replaceAll(/LS0tLS1CRUdJTi[\w+/=]+/g, '<pem>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?[+-]\d{4}|Z)?/g, '<time>')
      .replaceAll(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>')
      .replaceAll(/Resource Version: +\d+/g, 'Resource Version: <version>')
      .replaceAll(/X509SHA256=\w+/g, 'X509SHA256=<hash>')
      .replaceAll(/\bkubernetes-admin\b/g, 'admin')
      .replaceAll(/resourceVersion: "?\d+"?/g, 'resourceVersion: <version>')
      .replaceAll(/"resourceVersion": "\d+"/g, '"resourceVersion": "<version>"')
      .replaceAll(/\b10\.0\.\d+\.\d+\b/g, '<address>')
      .replaceAll(/\/tmp\/[\w./-]+/g, '<file>')
      .replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access-<random>')
      .replaceAll(/(^|\s)(<invalid>|\d+(?:\.\d+)?(?:ms|s|m|h)(?:\d+s)?)(?=\s|$)/gm, '$1<age>')
      .replaceAll(/[EWI]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+/g, '<log>')
      .split('\n')
      // Column widths depend on removed values.
      .map((line) => line.replaceAll(/ {2,}/g, '  ').trimEnd())
      .join('\n')
  );
}

/** Returns the fields and types of `kubectl explain`. Descriptions are not compared. */
export function withoutProse(text: string): string {
  return text
    .split('\n')
    .filter((line) => /^(GROUP|KIND|VERSION|FIELD|error|---)|\t<|<[A-Za-z[\]]+>/.test(line))
    .join('\n');
}
