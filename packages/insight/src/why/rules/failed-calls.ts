import { kubectlArguments, refOf } from '../../objects/index.js';
import { conditionsOf, oldConditionsOf } from '../../tree/index.js';
import { causeOfMessage } from '../condition-state.js';
import { eventFacts, finding, type Rule } from '../view.js';

/** Returns the commands to run for an error of a webhook or a runtime extension. */
export function nextOfMessage(message: string): readonly string[] | undefined {
  switch (causeOfMessage(message)) {
    case 'WebhookUnavailable':
      return ['kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations'];
    case 'ExtensionUnavailable':
      return ['kubectl get extensionconfigs -o yaml'];
    default:
      return undefined;
  }
}

/** Reports an error of a webhook or a runtime extension in any condition of the object. */
export const failedCalls: Rule = (object, view) => {
  const failed = [...conditionsOf(object), ...oldConditionsOf(object)].find(
    ({ status, message }) => status !== 'True' && causeOfMessage(message) !== undefined,
  );
  const cause = failed && causeOfMessage(failed.message);
  if (failed === undefined || cause === undefined) return undefined;
  const { type, status, reason, message } = failed;
  const fact = `condition ${type} is ${status} (${reason}): ${message}`;
  return finding(cause, object, message, {
    reason,
    evidence: [{ object: refOf(object), fact }, ...eventFacts(object, view)],
    next: [...(nextOfMessage(message) ?? []), `kubectl describe ${kubectlArguments(refOf(object))}`],
  });
};
