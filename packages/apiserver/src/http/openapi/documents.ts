import { createHash } from 'node:crypto';
import { stringifyJson } from '@slipway/kube';
import type { Registry, ResourceDefinition } from '../../contract/index.js';
import { buildDocument, type ServedKind } from './build-document.js';
import { encodeGnostic } from './gnostic.js';

export interface OpenApiDocument {
  readonly body: Buffer;
  /** Upper-case hexadecimal; also used as ETag. */
  readonly hash: string;
}

interface Cached {
  readonly definitions: readonly ResourceDefinition[];
  readonly document: OpenApiDocument;
}

/**
 * OpenAPI documents, built on first request. The document of a group version is rebuilt only if one of its own definitions
 * changed.
 */
export class OpenApiDocuments {
  readonly #v3 = new Map<string, Cached>();
  #v2: { readonly generation: number; readonly document: OpenApiDocument; protobuf?: OpenApiDocument } | undefined;
  #index: { readonly generation: number; readonly body: Buffer } | undefined;
  #groups: { readonly generation: number; readonly kinds: ReadonlyMap<string, ServedKind[]> } | undefined;

  constructor(
    private readonly registry: Registry,
    private readonly serverVersion: string,
  ) {}

  /** Returns `/openapi/v3`: all group versions with the URL of their document. */
  async index(): Promise<Buffer> {
    const { generation } = this.registry;
    if (this.#index?.generation === generation) return this.#index.body;
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const path of this.#served().keys()) {
      const document = this.v3(path);
      if (document !== undefined) paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${document.hash}` };
      // Each document takes milliseconds to build: yield to other requests after each.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const body = Buffer.from(JSON.stringify({ paths }));
    this.#index = { generation, body };
    return body;
  }

  /** Returns the document of a group version. `path` is written as in the index: `api/v1`, `apis/apps/v1`. */
  v3(path: string): OpenApiDocument | undefined {
    const kinds = this.#served().get(path);
    if (kinds === undefined) return undefined;
    const definitions = kinds.map(({ definition }) => definition);
    const cached = this.#v3.get(path);
    if (cached !== undefined && sameItems(cached.definitions, definitions)) return cached.document;
    const document = encode(buildDocument('v3', kinds, this.serverVersion));
    this.#v3.set(path, { definitions, document });
    return document;
  }

  /** Returns `/openapi/v2` as protobuf. */
  v2Protobuf(): OpenApiDocument {
    const document = this.v2();
    const protobuf = this.#v2?.protobuf ?? hashed(encodeGnostic(JSON.parse(document.body.toString('utf8')) as object));
    if (this.#v2 !== undefined) this.#v2.protobuf = protobuf;
    return protobuf;
  }

  v2(): OpenApiDocument {
    const { generation } = this.registry;
    if (this.#v2?.generation !== generation) {
      const kinds = [...this.#served().values()].flat();
      this.#v2 = { generation, document: encode(buildDocument('v2', kinds, this.serverVersion)) };
    }
    return this.#v2.document;
  }

  #served(): ReadonlyMap<string, ServedKind[]> {
    const { generation } = this.registry;
    if (this.#groups?.generation === generation) return this.#groups.kinds;
    const kinds = new Map<string, ServedKind[]>();
    for (const definition of this.registry.definitions()) {
      for (const version of definition.versions) {
        if (!version.served) continue;
        const path = definition.group === '' ? `api/${version.name}` : `apis/${definition.group}/${version.name}`;
        const known = kinds.get(path);
        if (known === undefined) kinds.set(path, [{ definition, version }]);
        else known.push({ definition, version });
      }
    }
    for (const path of this.#v3.keys()) if (!kinds.has(path)) this.#v3.delete(path);
    this.#groups = { generation, kinds };
    return kinds;
  }
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

function encode(document: object): OpenApiDocument {
  return hashed(Buffer.from(stringifyJson(document)));
}

function hashed(body: Buffer): OpenApiDocument {
  return { body, hash: createHash('sha512').update(body).digest('hex').toUpperCase() };
}
