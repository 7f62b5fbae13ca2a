import { type Fields, fieldsOf, type Frozen, itemsOf, type KubeObject, textOf, textsOf } from '@slipway/kube';
import type { ClientConfig } from '../../http/index.js';
import { type CompiledExpression, compileConditions } from '../match-conditions.js';
import { compileMatch, type MatchResources } from '../matching/match-resources.js';

/** One compiled webhook of a configuration. */
export interface Webhook {
  /** Identifier that is unique across configurations, which may contain webhooks of the same name. */
  readonly id: string;
  readonly name: string;
  readonly match: MatchResources;
  readonly conditions: readonly CompiledExpression[];
  readonly clientConfig: ClientConfig;
  readonly ignoresFailure: boolean;
  readonly timeoutMs: number;
  readonly sideEffects: string;
  readonly reviewVersions: readonly string[];
  /** Whether to call the webhook again if other plugins changed the object after it ran. */
  readonly reinvoked: boolean;
}

const timeoutSecondsDefault = 10;

/** Returns the webhooks of a stored configuration, in order. A webhook without rules matches nothing. */
export function webhooksOf(configuration: Frozen<KubeObject>): readonly Webhook[] {
  const prefix = configuration.metadata.name ?? '';
  return itemsOf(configuration['webhooks'])
    .map((hook, index) => compileWebhook(hook, `${prefix}/${textOf(hook['name'])}/${index}`))
    .filter((hook) => hook.match.rules.length > 0);
}

function compileWebhook(hook: Fields, id: string): Webhook {
  const seconds = hook['timeoutSeconds'];
  return {
    id,
    name: textOf(hook['name']),
    match: compileMatch(hook, hook['rules'], []),
    conditions: compileConditions(hook['matchConditions'], { params: false, authorizer: true }),
    clientConfig: fieldsOf(hook['clientConfig']) as ClientConfig,
    ignoresFailure: hook['failurePolicy'] === 'Ignore',
    timeoutMs: (typeof seconds === 'number' ? seconds : timeoutSecondsDefault) * 1000,
    sideEffects: textOf(hook['sideEffects']),
    reviewVersions: textsOf(hook['admissionReviewVersions']),
    reinvoked: hook['reinvocationPolicy'] === 'IfNeeded',
  };
}
