import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { headerDictionary } from './header-dictionary.js';

export type SpdyHeaders = ReadonlyMap<string, string>;

const pairsMax = 256;

/** Header compression, one stream per connection: blocks must be encoded and decoded in the order in which they are sent. */
export class HeaderBlockCoder {
  readonly #deflate: Deflate = createDeflate({ dictionary: headerDictionary });
  readonly #inflate: Inflate = createInflate({ dictionary: headerDictionary, finishFlush: constants.Z_SYNC_FLUSH });

  /** Decodes a block. Rejects if it does not decompress with the dictionary and the previous blocks. */
  decode(block: Uint8Array): Promise<SpdyHeaders> {
    return new Promise((resolve, reject) => {
      this.#inflate.once('error', reject);
      this.#inflate.write(block, () => {
        this.#inflate.off('error', reject);
        try {
          resolve(parseHeaders((this.#inflate.read() as Buffer | null) ?? Buffer.alloc(0)));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  encode(headers: SpdyHeaders): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#deflate.once('error', reject);
      this.#deflate.write(serialiseHeaders(headers));
      this.#deflate.flush(constants.Z_SYNC_FLUSH, () => {
        this.#deflate.off('error', reject);
        resolve((this.#deflate.read() as Buffer | null) ?? Buffer.alloc(0));
      });
    });
  }

  close(): void {
    this.#deflate.destroy();
    this.#inflate.destroy();
  }
}

function parseHeaders(bytes: Buffer): SpdyHeaders {
  const headers = new Map<string, string>();
  const count = bytes.readUInt32BE(0);
  if (count > pairsMax) throw new RangeError(`${count} headers exceed the limit`);
  let position = 4;
  const take = (): string => {
    const length = bytes.readUInt32BE(position);
    const end = position + 4 + length;
    if (end > bytes.length) throw new RangeError('a header is truncated');
    const text = bytes.toString('latin1', position + 4, end);
    position = end;
    return text;
  };
  for (let pair = 0; pair < count; pair += 1) {
    const name = take().toLowerCase();
    headers.set(name, take());
  }
  return headers;
}

function serialiseHeaders(headers: SpdyHeaders): Buffer {
  const parts: Buffer[] = [uint32(headers.size)];
  for (const text of [...headers].flat()) {
    const bytes = Buffer.from(text, 'latin1');
    parts.push(uint32(bytes.length), bytes);
  }
  return Buffer.concat(parts);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
