const nameBytesMax = 128;
const plain = /^[ -~]{0,128}$/;
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/**
 * The field manager of a write: the one that the request names, else everything before the first slash of the User-Agent
 * (`kubectl/v1.36 (linux)` is `kubectl`). Unprintable characters are dropped and at most 128 bytes are kept, as in
 * kube-apiserver.
 */
export function fieldManagerName(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager;
  const [prefix = ''] = userAgent.split('/', 1);
  // In `manager (linux/amd64)` the product has no version, and the slash is that of its comment.
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
