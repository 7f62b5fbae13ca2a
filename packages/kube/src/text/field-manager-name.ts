const nameBytesMax = 128;
const plain = /^[ -~]{0,128}$/;
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/**
 * Returns the field manager of a write: the manager that the request specifies, or else the User-Agent up to the first slash
 * (`kubectl/v1.36 (linux)` is `kubectl`). Like kube-apiserver, drops unprintable characters and keeps at most 128 bytes.
 */
export function fieldManagerName(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager;
  const [prefix = ''] = userAgent.split('/', 1);
  // In `manager (linux/amd64)` the slash belongs to the comment, because the product has no version.
  const comment = prefix.indexOf(' (');
  const product = comment < 0 ? prefix : prefix.slice(0, comment);
  return plain.test(product) ? product : printablePrefix(product);
}

function printablePrefix(text: string): string {
  let kept = '';
  let bytes = 0;
  for (const character of text) {
    if (!printable.test(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > nameBytesMax) break;
    kept += character;
  }
  return kept;
}
