import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { HttpRequest, HttpResponse } from '@slipway/base';
import { headerOf } from './message.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/** The built pages. They are kept in memory, because they are few and do not change at runtime. */
export class Assets {
  readonly #files: ReadonlyMap<string, Asset>;

  private constructor(files: ReadonlyMap<string, Asset>) {
    this.#files = files;
  }

  static async load(folder: string): Promise<Assets> {
    const names = (await readdir(folder)).filter((name) => types[extname(name)] !== undefined);
    const files = await Promise.all(
      names.map(async (name): Promise<[string, Asset]> => {
        const plain = await readFile(join(folder, name));
        return [name, { type: types[extname(name)] ?? '', plain, zipped: gzipSync(plain, { level: 9 }) }];
      }),
    );
    return new Assets(new Map(files));
  }

  /** Responds with a file. All file names except index.html contain a content hash, so that they can be cached forever. */
  respond(request: HttpRequest, name: string): HttpResponse | undefined {
    const asset = this.#files.get(name);
    if (asset === undefined) return undefined;
    const isZipped = /\bgzip\b/.test(headerOf(request, 'accept-encoding'));
    return {
      status: 200,
      headers: {
        'content-type': asset.type,
        'cache-control': name.endsWith('.html') ? 'no-cache' : 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(isZipped && { 'content-encoding': 'gzip' }),
      },
      body: isZipped ? asset.zipped : asset.plain,
    };
  }
}
