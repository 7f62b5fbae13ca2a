import {
  badRequest,
  forbiddenField,
  type FieldError,
  invalid,
  invalidField,
  notSupported,
  StatusError,
  expired,
} from '@slipway/kube';
import type { Compacted } from '../storage/index.js';
import type { Revision } from '../contract/index.js';
import type { RegistryDependencies } from './dependencies.js';

const readWaitMs = 3_000;

/**
 * Parses a resourceVersion. Returns undefined if the parameter is absent; 0 means 'any'. Only lists return 400 for an invalid
 * version.
 */
export function parseResourceVersion(text: string | undefined, by: 'list' | 'get' | 'watch'): Revision | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^(0|[1-9][0-9]{0,15})$/.test(text)) return Number(text);
  const quoted = JSON.stringify(text);
  const message = `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  if (by === 'list') throw badRequest(`invalid resource version: ${message}`);
  throw new StatusError({ code: 500, reason: '', message });
}

/** Waits until `revision` is visible. Throws a timeout error if it does not become visible within a few seconds. */
export async function waitUntilVisible(
  dependencies: RegistryDependencies,
  revision: Revision,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = dependencies;
  if (store.revision >= revision) return;
  const deadline = new AbortController();
  const timer = clock.setTimer(readWaitMs, () => deadline.abort());
  try {
    await store.waitFor(revision, AbortSignal.any([signal, deadline.signal]));
  } catch {
    throw tooLargeResourceVersion(revision, store.revision);
  } finally {
    timer.cancel();
  }
}

function tooLargeResourceVersion(requested: Revision, current: Revision): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}

export function tooOldResourceVersion(error: Compacted, continueToken?: string): StatusError {
  if (continueToken !== undefined) {
    return expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the ' +
        'continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing ' +
        'with the provided token results in an inconsistent list - objects that were created, modified, or deleted between ' +
        'the time the first chunk was returned and now may show up in the list.',
      continueToken,
    );
  }
  return expired(`too old resource version: ${error.requested} (${error.oldest})`);
}

interface VersionMatchOptions {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly continue?: string;
  readonly sendInitialEvents?: boolean;
  readonly allowBookmarks?: boolean;
}

/** Validates the combination of resourceVersion, resourceVersionMatch, continue and sendInitialEvents of lists and watches. */
export function checkVersionMatch(options: VersionMatchOptions, watching: boolean): void {
  const errors = watching ? watchMatchErrors(options) : listMatchErrors(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}

function watchMatchErrors(options: VersionMatchOptions): FieldError[] {
  const match = options.resourceVersionMatch ?? '';
  if (options.sendInitialEvents === undefined) {
    return match === ''
      ? []
      : [
          forbiddenField(
            'resourceVersionMatch',
            'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
          ),
        ];
  }
  if (match === '') {
    return [
      forbiddenField('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    ];
  }
  if (match === 'NotOlderThan') return [];
  return [
    forbiddenField('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    notSupported('resourceVersionMatch', match, ['NotOlderThan']),
  ];
}

function listMatchErrors(options: VersionMatchOptions): FieldError[] {
  const match = options.resourceVersionMatch ?? '';
  const errors: FieldError[] = [];
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  if (match === '') return errors;
  if ((options.resourceVersion ?? '') === '') {
    errors.push(
      forbiddenField('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
    );
  }
  if ((options.continue ?? '') !== '') {
    errors.push(forbiddenField('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push({
      reason: 'FieldValueNotSupported',
      field: 'resourceVersionMatch',
      message: `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`,
    });
  }
  if (match === 'Exact' && options.resourceVersion === '0') {
    errors.push(
      forbiddenField('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    );
  }
  return errors;
}

export function missingResourceVersion(): FieldError {
  return invalidField('metadata.resourceVersion', 0, 'must be specified for an update');
}
