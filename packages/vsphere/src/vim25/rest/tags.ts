import { RestError } from '../errors.js';
import type { ObjectRef } from '../schema/index.js';
import type { CallOptions, RestSession } from '../session/index.js';

export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly category_id: string;
}

export interface TagCategory {
  readonly id: string;
  readonly name: string;
}

const root = '/rest/com/vmware/cis/tagging';

/** Tags and their categories. IDs are URNs. Names are unique within a category only. */
export class Tags {
  readonly #rest: RestSession;
  readonly #options: CallOptions;

  constructor(rest: RestSession, options: CallOptions = {}) {
    this.#rest = rest;
    this.#options = options;
  }

  async categoryNamed(name: string): Promise<TagCategory | undefined> {
    for (const id of await this.#list('GET', '/category')) {
      const category = (await this.#call('GET', `/category/id:${encode(id)}`)) as TagCategory;
      if (category.name === name) return category;
    }
    return undefined;
  }

  async tagsOf(categoryId: string): Promise<Tag[]> {
    const path = `/tag/id:${encode(categoryId)}?~action=list-tags-for-category`;
    const ids = await this.#list('POST', path, { category_id: categoryId });
    return Promise.all(ids.map((id) => this.tag(id)));
  }

  async tag(id: string): Promise<Tag> {
    return (await this.#call('GET', `/tag/id:${encode(id)}`)) as Tag;
  }

  attachedTo(ref: ObjectRef): Promise<string[]> {
    return this.#list('POST', '/tag-association?~action=list-attached-tags', { object_id: objectId(ref) });
  }

  async attach(ref: ObjectRef, ids: readonly string[]): Promise<void> {
    for (const id of ids) checkTagId(id);
    const path = '/tag-association?~action=attach-multiple-tags-to-object';
    const result = await this.#call('POST', path, { object_id: objectId(ref), tag_ids: ids });
    const { success, error_messages: messages = [] } = (result ?? {}) as AttachResult;
    if (success !== false) return;
    const problems = messages.map((message) => message.default_message).join('; ');
    throw new RestError(400, `attaching tags ${ids.join(', ')} to ${ref.type}:${ref.value}: ${problems}`);
  }

  async createCategory(name: string): Promise<string> {
    const spec = { name, description: '', cardinality: 'MULTIPLE', associable_types: [] };
    return (await this.#call('POST', '/category', { create_spec: spec })) as string;
  }

  async createTag(categoryId: string, name: string): Promise<string> {
    const spec = { category_id: categoryId, name, description: '' };
    return (await this.#call('POST', '/tag', { create_spec: spec })) as string;
  }

  async #list(method: 'GET' | 'POST', path: string, body?: unknown): Promise<string[]> {
    return ((await this.#call(method, path, body)) as string[] | null) ?? [];
  }

  #call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    return this.#rest.call({ method, path: `${root}${path}`, body }, this.#options);
  }
}

interface AttachResult {
  readonly success?: boolean;
  readonly error_messages?: readonly { readonly default_message: string }[];
}

const tagPattern = /^urn:vmomi:InventoryServiceTag:[^:]+:GLOBAL$/;

/** Throws if the text is not a tag ID: vCenter returns a misleading error for a name instead of an ID. */
function checkTagId(id: string): void {
  if (!tagPattern.test(id)) {
    throw new Error(`invalid tag ID '${id}': must be urn:vmomi:InventoryServiceTag:<uuid>:GLOBAL`);
  }
}

function objectId({ type, value }: ObjectRef): { readonly id: string; readonly type: string } {
  return { id: value, type };
}

function encode(id: string): string {
  return encodeURIComponent(id).replaceAll('%3A', ':');
}
