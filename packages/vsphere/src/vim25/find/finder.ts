import { AmbiguousInInventory, isFault, NotFoundInInventory } from '../errors.js';
import { retrieveOne } from '../property/index.js';
import type { ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/index.js';
import { searchBelow, walk } from './inventory.js';
import type { NameMemory } from './name-memory.js';
import { hasPattern, namePattern } from './name-pattern.js';
import { type InventoryKind, type InventoryKindName, inventoryKinds, parseReference } from './reference.js';

/**
 * Finds inventory objects by reference, by name anywhere in the datacenter, or by path with patterns. Several matches and no
 * match are different types of errors.
 */
export class Finder {
  readonly #session: SoapSession;
  readonly #options: CallOptions;
  readonly #datacenterName: string;
  readonly #memory: NameMemory | undefined;
  #datacenter: Promise<ObjectRef> | undefined;

  /**
   * `datacenter` is a name, path or reference; empty or `*` selects the only datacenter. Without `memory`, every lookup calls
   * vCenter.
   */
  constructor(session: SoapSession, datacenter: string, options: CallOptions = {}, memory?: NameMemory) {
    this.#session = session;
    this.#datacenterName = datacenter === '' ? '*' : datacenter;
    this.#options = options;
    this.#memory = memory;
  }

  datacenter(): Promise<ObjectRef> {
    this.#datacenter ??= this.#recall('datacenter', '', () => this.#findDatacenter());
    return this.#datacenter;
  }

  find(kind: InventoryKindName, nameOrPath: string): Promise<ObjectRef> {
    if (kind === 'datacenter') return this.datacenter();
    return this.#recall(kind, nameOrPath, () => this.#find(kind, nameOrPath));
  }

  async #find(kind: InventoryKindName, nameOrPath: string): Promise<ObjectRef> {
    const description: InventoryKind = inventoryKinds[kind];
    const referenced = await this.#byReference(description, nameOrPath);
    if (referenced !== undefined) return referenced;
    return only(await this.#byName(description, nameOrPath), description, nameOrPath);
  }

  /** Returns the default object of a kind: the only one that exists. Throws if there are several. */
  findDefault(kind: InventoryKindName, pattern: string): Promise<ObjectRef> {
    return this.#recall(`default ${kind}`, pattern, () => this.#findDefault(kind, pattern));
  }

  async #findDefault(kind: InventoryKindName, pattern: string): Promise<ObjectRef> {
    const description: InventoryKind = inventoryKinds[kind];
    const found = await this.#byName(description, pattern);
    if (found.length > 1) {
      const message = `default ${description.label} resolves to multiple instances, please specify`;
      throw new AmbiguousInInventory(description.label, pattern, message);
    }
    return only(found, description, pattern);
  }

  /** Returns the folder of the datacenter for objects of a kind. */
  typedFolder(kind: InventoryKindName): Promise<ObjectRef> {
    return this.#folderOf(inventoryKinds[kind]);
  }

  /** Returns the virtual machine with a UUID in the finder's datacenter, or undefined. */
  async byUuid(uuid: string, which: 'bios' | 'instance'): Promise<ObjectRef | undefined> {
    const { searchIndex } = await this.#session.content(this.#options);
    if (searchIndex === undefined) return undefined;
    const parameters = {
      datacenter: await this.datacenter(),
      uuid,
      vmSearch: true,
      instanceUuid: which === 'instance',
    };
    return this.#session.call('FindByUuid', searchIndex, parameters, this.#options);
  }

  #recall<T>(what: string, nameOrPath: string, find: () => Promise<T>): Promise<T> {
    return this.#memory?.recall(`${this.#datacenterName}\n${what}\n${nameOrPath}`, find) ?? find();
  }

  #folderOf(kind: InventoryKind): Promise<ObjectRef> {
    return this.#recall('typed folder', kind.folder ?? '', () => this.#readFolder(kind));
  }

  async #readFolder({ folder = 'vmFolder' }: InventoryKind): Promise<ObjectRef> {
    const values = await retrieveOne(this.#session, await this.datacenter(), [folder], this.#options);
    const ref = values[folder];
    if (ref === undefined) throw new NotFoundInInventory('folder', folder);
    return ref;
  }

  async #findDatacenter(): Promise<ObjectRef> {
    const kind: InventoryKind = inventoryKinds.datacenter;
    const nameOrPath = this.#datacenterName;
    const referenced = await this.#byReference(kind, nameOrPath);
    if (referenced !== undefined) return referenced;
    const { rootFolder } = await this.#session.content(this.#options);
    const segments = segmentsOf(nameOrPath);
    const found =
      segments.length > 1
        ? await walk(this.#session, rootFolder, segments, this.#options)
        : await searchBelow(this.#session, rootFolder, kind, namePattern(segments[0] ?? '*'), this.#options);
    const refs = found.map(({ ref }) => ref).filter(({ type }) => kind.types.includes(type));
    if (refs.length > 1 && nameOrPath === '*') {
      throw new AmbiguousInInventory(
        kind.label,
        nameOrPath,
        'default datacenter resolves to multiple instances, please specify',
      );
    }
    return only(refs, kind, nameOrPath);
  }

  async #byReference(kind: InventoryKind, nameOrPath: string): Promise<ObjectRef | undefined> {
    const ref = parseReference(nameOrPath);
    if (ref === undefined || !kind.types.includes(ref.type)) return undefined;
    try {
      const { name } = await retrieveOne(this.#session, ref, ['name'], this.#options);
      return name === undefined ? undefined : ref;
    } catch (error) {
      if (isFault(error, 'ManagedObjectNotFound')) return undefined;
      throw error;
    }
  }

  async #byName(kind: InventoryKind, nameOrPath: string): Promise<ObjectRef[]> {
    const segments = segmentsOf(nameOrPath);
    const folder = await this.#folderOf(kind);
    const relative = nameOrPath.startsWith('./');
    if (!nameOrPath.includes('/')) {
      const found = await searchBelow(this.#session, folder, kind, namePattern(nameOrPath), this.#options);
      return found.map(({ ref }) => ref);
    }
    const { rootFolder } = await this.#session.content(this.#options);
    const starts = nameOrPath.startsWith('/') ? [rootFolder] : relative ? [folder] : [rootFolder, folder];
    for (const start of starts) {
      const found = await this.#byPath(start, segments, start === rootFolder);
      const refs = found.filter(({ type }) => kind.types.includes(type));
      if (refs.length > 0) return refs;
    }
    return [];
  }

  async #byPath(start: ObjectRef, segments: readonly string[], fromRoot: boolean): Promise<ObjectRef[]> {
    const { searchIndex } = await this.#session.content(this.#options);
    if (fromRoot && searchIndex !== undefined && !segments.some(hasPattern)) {
      const inventoryPath = segments.join('/');
      const found = await this.#session.call('FindByInventoryPath', searchIndex, { inventoryPath }, this.#options);
      return found === undefined ? [] : [found];
    }
    return (await walk(this.#session, start, segments, this.#options)).map(({ ref }) => ref);
  }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function only(refs: readonly ObjectRef[], kind: InventoryKind, nameOrPath: string): ObjectRef {
  const [first, second] = refs;
  if (first === undefined) throw new NotFoundInInventory(kind.label, nameOrPath);
  if (second !== undefined) throw new AmbiguousInInventory(kind.label, nameOrPath);
  return first;
}
