import { VimFault } from '../errors.js';
import type { Data, ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/soap-session.js';
import type { Properties, PropertyPath } from './property-types.js';

export interface FoundObject<Path extends PropertyPath> {
  readonly ref: ObjectRef;
  readonly values: Properties<Path>;
}

/** Page size of property reads. */
const objectsMax = 1000;

/**
 * Reads properties of an object. Unset properties are absent. vCenter reports unreadable properties and expired sessions in the
 * missingSet of the response instead of a fault: they are thrown here like any other fault.
 */
export function retrieve<Path extends PropertyPath>(
  session: SoapSession,
  specSet: readonly Data<'PropertyFilterSpec'>[],
  options: CallOptions = {},
): Promise<FoundObject<Path>[]> {
  return session.authenticated(async () => {
    const { propertyCollector } = await session.content(options);
    const parameters = { specSet, options: { maxObjects: objectsMax } };
    const found: FoundObject<Path>[] = [];
    let result = await session.call('RetrievePropertiesEx', propertyCollector, parameters, options);
    for (;;) {
      for (const content of result?.objects ?? []) found.push(toFound<Path>(content));
      const token = result?.token;
      if (token === undefined || token === '') return found;
      result = await session.call('ContinueRetrievePropertiesEx', propertyCollector, { token }, options);
    }
  });
}

/** Reads the same properties of several objects in one call. */
export function retrieveAll<Path extends PropertyPath>(
  session: SoapSession,
  refs: readonly ObjectRef[],
  paths: readonly Path[],
  options: CallOptions = {},
): Promise<FoundObject<Path>[]> {
  if (refs.length === 0) return Promise.resolve([]);
  const types = [...new Set(refs.map(({ type }) => type))];
  const spec = {
    propSet: types.map((type) => ({ type, pathSet: paths })),
    objectSet: refs.map((obj) => ({ obj })),
  };
  return retrieve<Path>(session, [spec], options);
}

export async function retrieveOne<Path extends PropertyPath>(
  session: SoapSession,
  ref: ObjectRef,
  paths: readonly Path[],
  options: CallOptions = {},
): Promise<Properties<Path>> {
  const [found] = await retrieveAll(session, [ref], paths, options);
  return found?.values ?? {};
}

function toFound<Path extends PropertyPath>(content: Data<'ObjectContent'>): FoundObject<Path> {
  for (const { path, fault } of content.missingSet ?? []) {
    const details = fault.fault ?? {};
    const subject = `reading ${path} of ${content.obj.type}:${content.obj.value}`;
    throw new VimFault(details._type ?? 'MethodFault', fault.localizedMessage ?? '', details, subject);
  }
  const values = Object.fromEntries((content.propSet ?? []).map(({ name, val }) => [name, val]));
  return { ref: content.obj, values: values as Properties<Path> };
}
